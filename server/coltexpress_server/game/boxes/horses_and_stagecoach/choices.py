"""What a seat can choose in this box alone, each with its canonical text."""

from __future__ import annotations

from dataclasses import dataclass

from coltexpress_server.game.choices import Choice, number


@dataclass(slots=True, unsafe_hash=True)
class RideTo(Choice):
    """Ride to a space (3.2.1): INSIDE a car, INSIDE the stagecoach, or away for good (3.7.8)."""

    space: str

    @property
    def text(self) -> str:
        """`ride:2.inside`, `ride:stagecoach.inside`, `ride:gone`."""
        return f"ride:{self.space}"


@dataclass(slots=True, unsafe_hash=True)
class Board(Choice):
    """In the horse attack: board this car, or ride on (3.1.4)."""

    boards: bool

    @property
    def text(self) -> str:
        """`board:true`, `board:false`."""
        return f"board:{str(self.boards).lower()}"


@dataclass(slots=True, unsafe_hash=True)
class BoardCar(Choice):
    """The last rider boards a car not yet passed (3.1.4)."""

    car: int

    @property
    def text(self) -> str:
        """`board:3`."""
        return f"board:{self.car}"


@dataclass(slots=True, unsafe_hash=True)
class BoardBandits(Choice):
    """These of a seat's bandits board this car, the others ride on (3.1.4).

    bandits: in the order in which the seat leads them.
    """

    bandits: tuple[str, ...]

    @property
    def text(self) -> str:
        """`board:`, `board:TUCO`, `board:TUCO,CHEYENNE`."""
        return f"board:{','.join(self.bandits)}"


@dataclass(slots=True, unsafe_hash=True)
class BoardCars(Choice):
    """The last player still riding says which car each of his bandits boards (3.1.4).

    bandits, cars: who boards which car, in the order in which the seat leads them.
    """

    bandits: tuple[str, ...]
    cars: tuple[int, ...]

    @property
    def text(self) -> str:
        """`board:TUCO=3`, `board:TUCO=3,CHEYENNE=2`."""
        pairs = zip(self.bandits, self.cars, strict=True)
        return f"board:{','.join([f'{bandit}={car}' for bandit, car in pairs])}"


@dataclass(slots=True, unsafe_hash=True)
class TakeHostage(Choice):
    """Take this hostage (3.3.3)."""

    hostage: str

    @property
    def text(self) -> str:
        """`hostage:POODLE`."""
        return f"hostage:{self.hostage}"


@dataclass(slots=True, unsafe_hash=True)
class Drink(Choice):
    """Drink whiskey instead of the normal turn (3.6.2).

    figure: whose flask it is, empty where the seat leads but one bandit.
    flask: its kind of loot; an unused one is a FLASK whatever its sort.
    """

    figure: str
    flask: str

    @property
    def text(self) -> str:
        """`whiskey:FLASK`, `whiskey:TUCO.HALF_OLD_FLASK`."""
        flask = f"{self.figure}.{self.flask}" if self.figure else self.flask
        return f"whiskey:{flask}"


@dataclass(slots=True, unsafe_hash=True)
class FleeTo(Choice):
    """Flee from the Shotgun to a roof (3.4.3)."""

    space: str

    @property
    def text(self) -> str:
        """`flee:3.roof`."""
        return f"flee:{self.space}"


def read(verb: str, fields: list[str]) -> Choice | None:
    """The choice whose text may begin with this verb and go on with this field, if any."""
    if len(fields) != 1:
        return None
    field = fields[0]
    if verb == "ride":
        return RideTo(field)
    if verb == "hostage":
        return TakeHostage(field)
    if verb == "whiskey":
        figure, _, flask = field.rpartition(".")
        return Drink(figure, flask)
    if verb == "flee":
        return FleeTo(field)
    if verb == "board":
        return _read_boarding(field)
    return None


def _read_boarding(field: str) -> Choice:
    if field in {"true", "false"}:
        return Board(field == "true")
    if field[:1].isdigit():
        return BoardCar(number(field))
    words = field.split(",") if field else []
    if "=" not in field:
        return BoardBandits(tuple(words))
    pairs = [word.partition("=") for word in words]
    return BoardCars(
        tuple([bandit for bandit, _, _ in pairs]), tuple([number(car) for _, _, car in pairs])
    )
