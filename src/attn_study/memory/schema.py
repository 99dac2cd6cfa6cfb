"""The tables of study.db, made and moved on by numbered migrations.

The log is append-only: triggers refuse every change of a row. It may only ever gain columns by
ADD COLUMN, because rebuilding the table would drop the triggers.
"""

from __future__ import annotations

import secrets
import sqlite3

from sqlite_utils import Database
from sqlite_utils.migrations import Migrations

from attn_study.memory.format import APPLICATION, VERSION

LOG = """
CREATE TABLE log (
    id     INTEGER PRIMARY KEY,
    uid    TEXT NOT NULL UNIQUE,
    device TEXT NOT NULL,
    tick   INTEGER NOT NULL CHECK (tick > 0),
    batch  TEXT NOT NULL,
    card   TEXT NOT NULL,
    kind   TEXT NOT NULL CHECK (kind IN ('review', 'drill', 'set', 'reset', 'undo', 'suspend',
                                         'resume', 'bury', 'flag', 'unflag', 'adopt', 'rule')),
    grade  INTEGER CHECK (grade BETWEEN 0 AND 5),
    day    TEXT NOT NULL CHECK (ifnull(date(day, '+0 days'), '') = day),
    at     TEXT NOT NULL,
    offset INTEGER NOT NULL,
    seconds REAL CHECK (seconds BETWEEN 0 AND 60),
    data   TEXT NOT NULL DEFAULT '{}' CHECK (json_valid(data)),
    CHECK ((kind IN ('review', 'drill')) = (grade IS NOT NULL))
) STRICT;
CREATE INDEX log_card ON log (card);
CREATE INDEX log_tick ON log (tick);
CREATE INDEX log_day ON log (day);
CREATE INDEX log_batch ON log (batch);
CREATE INDEX log_undone ON log (data ->> '$.undone') WHERE kind = 'undo';
CREATE INDEX log_global ON log (kind) WHERE kind IN ('adopt', 'rule');
CREATE TRIGGER log_keeps_rows BEFORE DELETE ON log
BEGIN SELECT RAISE (ABORT, 'the log is append-only'); END;
CREATE TRIGGER log_keeps_values BEFORE UPDATE ON log
BEGIN SELECT RAISE (ABORT, 'the log is append-only'); END;
"""

# A cache: the fold of the log, written in the transaction that writes the row.
CARD_STATE = """
CREATE TABLE card_state (
    card         TEXT PRIMARY KEY,
    ease         INTEGER NOT NULL CHECK (ease >= 130),
    repetitions  INTEGER NOT NULL CHECK (repetitions >= 0),
    interval     INTEGER NOT NULL CHECK (interval >= 0),
    lapses       INTEGER NOT NULL CHECK (lapses >= 0),
    due          TEXT CHECK (due IS NULL OR ifnull(date(due, '+0 days'), '') = due),
    first_day    TEXT,
    review_day   TEXT,
    answer_day   TEXT,
    answer_grade INTEGER,
    answer_tick  INTEGER NOT NULL,
    suspended    INTEGER NOT NULL,
    buried       TEXT,
    flag         TEXT NOT NULL,
    rows         INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX state_due ON card_state (due, interval, suspended, buried)
    WHERE due IS NOT NULL AND suspended = 0;
CREATE INDEX state_deck ON card_state (substr(card, 1, instr(card, '/') - 1), due, suspended)
    WHERE due IS NOT NULL AND suspended = 0;
CREATE INDEX state_new ON card_state (card) WHERE due IS NULL;
CREATE INDEX state_first ON card_state (first_day) WHERE first_day IS NOT NULL;
CREATE INDEX state_review ON card_state (review_day) WHERE review_day IS NOT NULL;
CREATE INDEX state_answer ON card_state (answer_day) WHERE answer_day IS NOT NULL;
"""

META = """
CREATE TABLE meta (
    key   TEXT PRIMARY KEY,
    value TEXT NOT NULL
) STRICT, WITHOUT ROWID;
"""

migrations = Migrations("attn-study")


@migrations()
def m001_log_and_state(db: Database) -> None:
    """Make the log, its fold, and a few facts about this file."""
    for statement in _statements(LOG + CARD_STATE + META):
        db.conn.execute(statement)
    db.conn.execute("INSERT INTO meta VALUES ('study', ?)", [secrets.token_hex(16)])


@migrations()
def m002_fsrs(db: Database) -> None:
    """Let a state hold what FSRS knows of a card; until a rule chooses it that is nothing."""
    for name in ("stability", "difficulty"):
        db.conn.execute(f"ALTER TABLE card_state ADD COLUMN {name} REAL NOT NULL DEFAULT 0")


def migrate(conn: sqlite3.Connection, written_by: str) -> None:
    """Bring the tables up to `VERSION`, all in one transaction or not at all.

    `written_by` is the program's version, kept for whoever opens the file later.
    """
    conn.execute("BEGIN IMMEDIATE")
    try:
        migrations.apply(Database(conn, execute_plugins=False))
        conn.execute("INSERT OR REPLACE INTO meta VALUES ('written_by', ?)", [written_by])
        conn.execute(f"PRAGMA application_id = {APPLICATION}")
        conn.execute(f"PRAGMA user_version = {VERSION}")
        conn.execute("COMMIT")
    except BaseException:
        if conn.in_transaction:  # a full disk has ended it already
            conn.execute("ROLLBACK")
        raise


def _statements(script: str) -> list[str]:
    """Split at the statement ends: `executescript` would commit the open transaction."""
    statements: list[str] = []
    text = ""
    for line in script.splitlines(keepends=True):
        text += line
        if sqlite3.complete_statement(text):
            statements.append(text)
            text = ""
    return statements
