-- The tables of the statistics. `{faces}` stands for a column for each face of a die.

CREATE TABLE file (
    name TEXT PRIMARY KEY, stamp TEXT NOT NULL, status TEXT NOT NULL, digest TEXT NOT NULL,
    line INTEGER, what TEXT NOT NULL);
CREATE TABLE game (
    id INTEGER PRIMARY KEY, kind TEXT NOT NULL, name TEXT NOT NULL UNIQUE,
    digest TEXT NOT NULL UNIQUE, date TEXT NOT NULL, ruleset TEXT NOT NULL,
    players INTEGER NOT NULL, side TEXT NOT NULL, turns INTEGER NOT NULL, dice TEXT,
    rated INTEGER NOT NULL, {faces});
CREATE INDEX game_date ON game (date, name);
CREATE INDEX game_unrated ON game (date, name) WHERE NOT rated;
CREATE TABLE player (
    id INTEGER PRIMARY KEY, name TEXT NOT NULL, level TEXT NOT NULL, mean REAL, doubt REAL,
    UNIQUE (level, name));
CREATE TABLE seat (
    game INTEGER NOT NULL, seat INTEGER NOT NULL, kind TEXT NOT NULL, name TEXT NOT NULL,
    level TEXT NOT NULL, player INTEGER, role TEXT NOT NULL, team TEXT NOT NULL,
    character TEXT NOT NULL, place INTEGER NOT NULL, won INTEGER NOT NULL, alive INTEGER NOT NULL,
    over INTEGER NOT NULL, players INTEGER NOT NULL, mean REAL, doubt REAL, {faces},
    PRIMARY KEY (game, seat)) WITHOUT ROWID;
CREATE INDEX seat_player ON seat (player);
CREATE INDEX seat_name ON seat (level, name, player);
CREATE TABLE shot (
    game INTEGER NOT NULL, shooter INTEGER NOT NULL, target INTEGER NOT NULL,
    shots INTEGER NOT NULL, PRIMARY KEY (game, shooter, target)) WITHOUT ROWID;
CREATE TABLE reading (
    game INTEGER NOT NULL, face TEXT NOT NULL, seen TEXT NOT NULL, dice INTEGER NOT NULL,
    PRIMARY KEY (game, face, seen)) WITHOUT ROWID;
CREATE TABLE handicap (
    players INTEGER NOT NULL, team TEXT NOT NULL, mean REAL NOT NULL, doubt REAL NOT NULL,
    PRIMARY KEY (players, team)) WITHOUT ROWID;
CREATE TABLE rated (date TEXT NOT NULL, name TEXT NOT NULL);
