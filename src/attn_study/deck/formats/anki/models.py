"""The note types of the packages we write: Anki's own, with a field for a note and a picture."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from genanki import Model


class Form(NamedTuple):
    """A note type. `id` never changes: by it Anki knows the type again.

    `asks` are the templates of its cards, a question and an answer each.
    """

    id: int
    name: str
    fields: tuple[str, ...]
    asks: tuple[tuple[str, str], ...]
    is_cloze: bool = False


BELOW = '{{#Note}}<div class="note">{{Note}}</div>{{/Note}}\n<div>{{Picture}}</div>'
ANSWER = "<hr id=answer>"
FORMS = {
    "basic": Form(
        1_733_020_801,
        "Basic (attn-study)",
        ("Front", "Back", "Note", "Picture"),
        (("{{Front}}", f"{{{{FrontSide}}}}\n\n{ANSWER}\n\n{{{{Back}}}}\n{BELOW}"),),
    ),
    "reversed": Form(
        1_733_020_802,
        "Basic (and reversed card) (attn-study)",
        ("Front", "Back", "Note", "Picture"),
        (
            ("{{Front}}", f"{{{{FrontSide}}}}\n\n{ANSWER}\n\n{{{{Back}}}}\n{BELOW}"),
            ("{{Back}}", f"{{{{FrontSide}}}}\n\n{ANSWER}\n\n{{{{Front}}}}\n{BELOW}"),
        ),
    ),
    "typed": Form(
        1_733_020_803,
        "Basic (type in the answer) (attn-study)",
        ("Front", "Answer", "Back", "Note", "Picture"),
        (
            (
                "{{Front}}\n\n{{type:Answer}}",
                f"{{{{Front}}}}\n\n{ANSWER}\n\n{{{{type:Answer}}}}\n<div>{{{{Back}}}}</div>\n{BELOW}",
            ),
        ),
    ),
    "cloze": Form(
        1_733_020_804,
        "Cloze (attn-study)",
        ("Text", "Back Extra", "Note", "Picture"),
        (("{{cloze:Text}}", f"{{{{cloze:Text}}}}<br>\n{{{{Back Extra}}}}\n{BELOW}"),),
        is_cloze=True,
    ),
}
STYLE = """.card { font-family: arial; font-size: 20px; text-align: center; color: black;
  background-color: white; }
.note { font-size: 16px; margin-top: 1em; }
.cloze { font-weight: bold; color: blue; }
.nightMode .cloze { color: lightblue; }
img { max-width: 100%; background-color: white; }
"""


def model(kind: str) -> Model:
    """Return the note type for a kind of note, one of `FORMS`."""
    from genanki import Model

    form = FORMS[kind]
    return Model(
        form.id,
        form.name,
        fields=[{"name": name} for name in form.fields],
        templates=[
            {"name": f"Card {number}", "qfmt": question, "afmt": answer}
            for number, (question, answer) in enumerate(form.asks, start=1)
        ],
        css=STYLE,
        model_type=Model.CLOZE if form.is_cloze else Model.FRONT_BACK,
    )
