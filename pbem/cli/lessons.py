"""What the tutorial says: its steps, what is to be typed in each, and why."""

from __future__ import annotations

from pbem.records import NamedTuple

__all__ = [
    "AGAIN", "AHEAD", "CHECK", "CLOSING", "ENDED", "FAREWELL", "GREETING", "LEFT", "OVER", "SEND", "STEPS", "TURNS",
    "Step", "turn_words",
]  # fmt: skip

TURNS = 3
"""So many turns are played."""


class Step(NamedTuple):
    """One step: its heading, why, what is to be typed, what to say of it afterwards.

    `command` is "" where orders are to be typed; then `orders` are an example, as an order file. `refused` says that
    the command is to be refused. In all of them {file} is the order file, {log} the game's log.
    """

    title: str
    why: str
    command: str
    after: str = ""
    orders: str = ""
    refused: bool = False


GREETING = (
    "Three turns of the Battle of Yao, 1615, against a bot, on this machine. Each step says what to type and why; "
    "what you type are the commands of the real game, and so are the log and the dice. All of it happens in the "
    "folder {folder}, and files that are named are there; your own games aren't touched.",
    "`show` types a step for you, `quit` leaves; `pbem tutorial{again}` in the same place goes on where you left. You "
    "may type other commands that only look, such as `pbem report` or `pbem rules yao movement`.",
)
LEFT = "left; `pbem tutorial{again}` in the same place goes on here"
OVER = "the tutorial in {folder} is over; delete the folder to begin it anew"

STEPS = {
    "key": Step(
        "A key",
        "Every turn that you send is signed, so that nobody can alter it, and your dice grow from the key that "
        "signs. It is made once; this one is for practice and goes into the practice folder.",
        "pbem key new",
        "Who has the file of your real key can play in your name. Keep a copy of it in a safe place.",
    ),
    "brief": Step(
        "The battle",
        "Look first at what is played: the forces, the special rules, how one wins. `pbem scenarios` lists what "
        "there is, the brief tells about one.",
        "pbem brief yao",
        "You will have the Eastern Army: Ii Naotaka in the north, Todo Takatora in the south. Ii and Todo themselves "
        "must stay in their hexes: whose commander leaves his start hex has lost.",
    ),
    "play": Step(
        "A game",
        "With a person a game begins with two mails, an offer and its accept. The bot sits on this machine, with a "
        "key and a log of its own, and accepts at once.",
        "pbem play yao --against bold --as east",
        "That was the report, which comes with every turn: whose move it is, the score, what happened, all units. The "
        "page that it names shows the same with maps; open it in a browser, if none shows it already.",
    ),
    "games": Step(
        "Whose move",
        "When you come back after days this tells where your games stand and what is asked of you.",
        "pbem games",
        "A turn has a phase of movement and one of combat for each side, the East first. Now you move.",
    ),
    "form": Step(
        "What may be done",
        "The order form lists every unit, where it may go and why one can't. It is an order file in which all is "
        "behind a #, so nothing is ordered yet.",
        "pbem form -o {file}",
        "It lies in the practice folder: look at it in an editor, or as `pbem form` shows it. In a real game you take "
        "the # away before what you want; here you type the orders. The number in its name is that of the entry in the "
        "log that the orders become.",
    ),
    "wrong": Step(
        "Orders",
        "Ii's riflemen 4, the unit ii-11, shall go up to the river, to hex 2619. It could march by road, up to eight "
        "hexes; try that first. What you type goes into {file}, as an editor would write it; an empty line ends it.",
        "",
        "It is written; nothing has been looked at yet.",
        "march ii-11 to 2619\ndone",
    ),
    "refused": Step(
        "The check",
        "Before you send orders have them checked. It tells every error at once, with line, reason and the clause of "
        "the rules, and signs nothing. (This march isn't allowed.)",
        "pbem check {file}",
        "Kimura's riflemen stand beyond the river: 2619 is in their zone of control, and no road march may come near "
        "the enemy.",
        refused=True,
    ),
    "rules": Step(
        "The rules",
        "The clause stands in brackets at the end of the refusal. The rules in short are in the program; a clause, a "
        "chapter or a word shows its part.",
        "pbem rules yao 7-5-2",
        "So it must be a normal move: three movement points for riflemen.",
    ),
    "orders": Step(
        "Better orders",
        "`move` with `to` finds the cheapest way itself. `standing` orders say what your units do when the bot's "
        "turn asks them something, here in which direction a beaten unit retreats; without one the rules choose. "
        "`done` ends the phase.",
        "",
        "What you typed before is replaced.",
        "move ii-11 to 2619\nmove ii-12 to 2520\nstanding retreat any east south-east\ndone",
    ),
}
"""The steps up to the first orders that can be sent, in this order; then come those of `turn_words`, turn by turn."""

CHECK = Step(
    "The check",
    "Once more: are these orders allowed? Orders that are not exact are told as they will be signed.",
    "pbem check {file}",
    "They are accepted. Dice fall only when orders are signed, so the check can't know them; of orders behind the "
    "first dice it tells how often they would lapse.",
)
SEND = Step(
    "Sent",
    "This signs the orders and puts them into your log. In a game by mail it also writes the mail, with `-o "
    "turn.eml` or `--copy`. The bot takes your turn in, as a person opens a mail, and answers at once.",
    "pbem send {file}",
    "The report tells what happened since: fights with their numbers, below each the dice and what was to be expected "
    "of them. Mails that only bring dice went by themselves, yours too.",
)
AGAIN = {
    "check": Step(CHECK.title, "Are they allowed?", CHECK.command, "They are accepted."),
    "send": Step(SEND.title, "Sign and send them; the bot answers.", SEND.command),
}

CLOSING = {
    "verify": Step(
        "The proof",
        "Anyone who has the log of a game can verify every signature, every die and every rule, without a key. Your "
        "opponent can't bend it, nor can you.",
        "pbem verify {log}",
        "The head is the fingerprint of the whole game: players who have the same head have the same game.",
    ),
    "offer": Step(
        "By mail",
        "Against a person you offer a game, and send the file as a mail. He types `pbem accept offer.eml --name "
        "...`; you open his mail with `pbem open`, and from then on it goes as here, with a mail for each turn.",
        "pbem offer toba-fushimi --side satcho --name asuka -o offer.eml",
        "Nobody will answer this one: it is in the practice folder.",
    ),
}
ENDED = "The battle is over before the three turns are: {outcome}. What is left of the tutorial goes on."
"""Said where a commander has given way early."""

AHEAD = (
    "You may think ahead: `in combat: fire U at V` among these orders is a plan for your combat phase of this turn. It "
    "is signed with them, the bot reads it, and it is used unless you order something else by then; in a game by mail "
    "that saves mails. `pbem lay FILE --for combat` keeps such orders to yourself instead; when the phase comes `pbem "
    "send` without a file takes them."
)
"""What is told in the last turn, before its movement."""

TOWARDS = "it goes nearer to what the East wins by, above all the enemy's commanders, but not in a heap."
WHY = {
    "move": TOWARDS,
    "march": TOWARDS,
    "fire": "fire is safe, for its result strikes the target alone.",
    "melee": "that fight promises more than it risks; `pbem form` shows its odds.",
}
"""Keyword of the first order of an example -> why it is given."""

NO_FIGHT = "no fight here promises enough for what it risks, and `done` says that nothing else is wanted."
"""Why nothing is ordered."""

FAREWELL = (
    "That was all. In a home folder of your own: `pbem key new`, then `pbem play SCENARIO` for practice, or `pbem "
    "offer` for a game by mail. `pbem --help` lists the commands. To play this battle on: `pbem --home {home} "
    "games`. The folder {folder} may be deleted."
)
"""The last words."""


def turn_words(kind: str, turn: int, prompt: str, example: str) -> Step:
    """The step in which orders are written in a later phase, with an example that is allowed."""
    hints = {
        1: "`pbem form` lists what may be done; in combat it tells the odds of each fire and attack.",
        2: "An order may wait for a condition: `if at ii-12 2520 then ...`. `say Good day` is a word to the opponent.",
        3: "`pbem suggest --bot bold` shows what a bot would do; `pbem edit` opens the form in your editor, checks and "
        "sends in one go.",
    }
    hint = AHEAD if (turn, kind) == (TURNS, "move") else hints.get(turn, hints[3])
    about = f"Turn {turn}: orders are asked ({kind}): {prompt}. {hint} This would do: {_reason(example)}"
    return Step(f"Turn {turn}, {kind}", about, "", "", example)


def _reason(example: str) -> str:
    """Why a bot would give these orders."""
    return next((why for keyword, why in WHY.items() if example.startswith(keyword)), NO_FIGHT)
