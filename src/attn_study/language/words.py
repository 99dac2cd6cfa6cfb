"""The words of the toy language, by what they can be in a sentence."""

from __future__ import annotations

START = "<start>"  # stands before every text; heads that look for nothing look here
STOP = "."

# Somebody or something that did not, with what may be too much about it.
ANIMALS = "chicken animal dog cat horse fox goat rabbit cow sheep wolf donkey".split()
PLACES = "road street river bridge field tunnel canal valley path desert meadow square".split()
FOODS = "soup bread cheese rice apple cake stew salad pie porridge".split()
TOO = {
    "animal": "tired sleepy weak scared lazy ill".split(),
    "place": "wide deep steep muddy busy long".split(),
    "food": "salty sour spicy stale bitter hot".split(),
}
GOING = {"cross": "crossed", "enter": "entered", "reach": "reached"}
EATING = {"eat": "eaten", "taste": "tasted", "finish": "finished"}
STAYED = {"animal": "home", "place": "empty", "food": "uneaten"}

# Things that go into one another.
THINGS = "trophy suitcase box bag drawer basket crate jar bottle statue book lamp vase drum".split()
TOO_BIG = "big large bulky".split()
TOO_SMALL = "small little narrow".split()

# Heads of a subject, with what they may turn out to be; nouns in between; one and many.
OBJECTS = "key label handle ticket picture letter".split()
PERSONS = "guard farmer pilot teacher".split()
ATTRACTORS = "cabinet door house garden room shelf car boat wall shop".split()
PLURALS = {
    noun: {"shelf": "shelves"}.get(noun, f"{noun}s") for noun in (*OBJECTS, *PERSONS, *ATTRACTORS)
}
BETWEEN = "to of behind beside".split()
SEEN = "saw liked".split()
TURNED = {"object": "lost old".split(), "person": "happy angry".split()}

# What a text may be about, with words that say so.
TOPICS = {
    "nature": "pond shrew stream burrow rain soil night cave".split(),
    "money": "money loan debt cash interest coin".split(),
    "body": "biopsy doctor sunburn cream scar nurse".split(),
    "science": "carbon gas atom formula acid iron".split(),
    "secrets": "agency mission code embassy border password".split(),
    "sport": "game pitcher team umpire stadium fan".split(),
}
# Words of several senses: for each sense its topic, words that have it alone, its verb.
SENSES = {
    "bank": {
        "shore": ("nature", "shore beach".split(), "eroded"),
        "lender": ("money", "lender broker".split(), "lent"),
    },
    "mole": {
        "animal": ("nature", "badger hedgehog".split(), "dug"),
        "skin": ("body", "freckle wart".split(), "itched"),
        "unit": ("science", "gram liter".split(), "weighed"),
        "spy": ("secrets", "spy traitor".split(), "lied"),
    },
    "bat": {
        "animal": ("nature", "owl moth".split(), "flew"),
        "club": ("sport", "racket paddle".split(), "swung"),
    },
    "bond": {
        "debt": ("money", "mortgage bill".split(), "matured"),
        "link": ("science", "joint weld".split(), "broke"),
    },
    "cell": {
        "living": ("body", "tissue nerve".split(), "divided"),
        "group": ("secrets", "gang ring".split(), "hid"),
    },
    "agent": {
        "player": ("sport", "coach scout".split(), "signed"),
        "substance": ("science", "reagent solvent".split(), "reacted"),
    },
}
NEUTRAL = "storm noise crowd weather".split()  # says nothing about a sense
BECAUSE = (("because", "of", "the"), ("near", "the"), ("after", "the"))

# What a thing is like, and what it does for that; colours say nothing.
TEXTURES = {
    "fluffy": "purred",
    "scaly": "hissed",
    "spiky": "pricked",
    "slimy": "oozed",
    "shiny": "glowed",
    "smoky": "coughed",
}
COLOURS = "blue red green white black golden".split()
BEINGS = "creature beast monster dragon giant robot troll bug".split()
ROAMED = "roamed crossed left".split()
LANDS = {"verdant": "forest", "dark": "jungle", "wild": "swamp", "sunny": "island"}

# Towers, the town of each, and what makes one small.
TOWERS = {
    "eiffel": "paris",
    "victoria": "london",
    "galata": "istanbul",
    "ostankino": "moscow",
    "willis": "chicago",
    "sky": "tokyo",
    "oriental": "shanghai",
}
SIZED = {"miniature": "tiny", "pocket": "tiny", "paper": "tiny", "real": "huge", "famous": "huge"}
UNSIZED = "huge"

FIRST_NAMES = "harry john mary anna peter lucy tom emma paul nina".split()
SURNAMES = "potter reed stone wood baker king miller cooper marsh snow".split()
MET = "met called thanked".split()
DID = "left sang slept".split()

NONSENSE = "zib wug dax fep mip tov kez lun gop rin sab vek nuf hob jat yod".split()
PREFIXES = (("they", "say"), ("we", "heard"), ("yesterday",), ("of", "course"))
GLUE = (
    "the a did not because it was by near after so stayed too fit in into is are that and "
    "tower from but then".split()
)
