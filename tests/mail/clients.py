"""Mails as the usual programs write them: flowed text, HTML, quoted replies and forwards in several languages."""

from __future__ import annotations

import base64
import html
import quopri
import re
import struct
from collections.abc import Iterable
from typing import NamedTuple

HEAD = "From: Axis <axis@example.org>\nTo: allies@example.org\nSubject: Re: turn 14\nMIME-Version: 1.0\n"


class Written(NamedTuple):
    """A mail of the corpus: which family it belongs to, what it shows."""

    family: str
    name: str
    raw: bytes


def letter(text: str, kind: str = "text/plain", charset: str = "utf-8", coding: str = "8bit") -> bytes:
    """One text as a mail in a character set and transfer encoding."""
    body = text.encode(charset)
    if coding == "quoted-printable":
        body = quopri.encodestring(body)
    elif coding == "base64":
        body = base64.encodebytes(body)
    head = f"{HEAD}Content-Type: {kind}; charset={charset}\nContent-Transfer-Encoding: {coding}\n\n"
    return head.encode("ascii") + body


def parts(subtype: str, *content: tuple[str, bytes]) -> bytes:
    """A multipart of (header lines, body)."""
    body = b"".join(b"--=-b1\n" + head.encode("ascii") + b"\n" + raw + b"\n" for head, raw in content)
    return f'{HEAD}Content-Type: multipart/{subtype}; boundary="=-b1"\n\n'.encode() + body + b"--=-b1--\n"


# Flowed text (RFC 3676 4.2), as Thunderbird, mutt and Apple Mail write it.


def flow(text: str, width: int, delsp: bool, quote: int = 0) -> str:
    """Lines cut behind a blank, or with DelSp anywhere at `width`; stuffed and quoted."""
    marks = ">" * quote + " " * (quote > 0)
    out: list[str] = []
    for line in text.splitlines():
        rest = line.rstrip(" ") if line != "-- " else line
        pieces: list[str] = []
        while len(rest) > width:
            at = width if delsp else rest.rfind(" ", 1, width) + 1
            at = at or rest.find(" ") + 1 or len(rest)
            pieces.append(rest[:at] + " " * delsp)
            rest = rest[at:]
        for piece in [*pieces, rest]:
            stuffed = not marks and piece.startswith((" ", ">", "From "))
            out.append(marks + " " * stuffed + piece)
    return "\n".join(out) + "\n"


def flowed_letters(block: str) -> Iterable[Written]:
    for delsp in (False, True):
        kind = "text/plain; format=flowed" + "; delsp=yes" * delsp
        for width in (20, 40, 66, 72, 78, 997):
            for quote in (0, 1, 3):
                text = flow("Hello,\n\n" + block + "-- \nAxis", width, delsp, quote)
                for coding in ("8bit", "quoted-printable", "base64"):
                    name = f"{kind.partition('; ')[2]} width {width} quoted {quote} {coding}"
                    yield Written("format=flowed and DelSp", name, letter(text, kind, "utf-8", coding))


# HTML.

_OUTLOOK_HEAD = """<html xmlns:v="urn:schemas-microsoft-com:vml" xmlns:o="urn:schemas-microsoft-com:office:office">
<head><meta http-equiv=Content-Type content="text/html; charset=windows-1252">
<meta name=Generator content="Microsoft Word 15 (filtered medium)">
<!--[if !mso]><style>v\\:* {behavior:url(#default#VML);}</style><![endif]--><style><!--
/* Style Definitions; -----BEGIN PBEM TURN----- */
p.MsoNormal, li.MsoNormal {margin:0cm; font-size:11.0pt;}
--></style><!--[if gte mso 9]><xml><o:shapedefaults v:ext="edit" spidmax="1026" /></xml><![endif]-->
</head><body lang=EN-GB link="#0563C1" style='word-wrap:break-word'><div class=WordSection1>
"""


def curled(text: str) -> str:
    """Apostrophes, three points and halves as Word's autocorrection leaves them; it doesn't know pbem."""
    return text.replace("'", "\u2019").replace("...", "\u2026").replace("1/2", "\u00bd")


def outlook(block: str, typed: bool = True, wrap: int = 76) -> str:
    lines = []
    for line in (curled(block) if typed else block).splitlines():
        text = html.escape(line, quote=False).replace("  ", " &nbsp;")
        source = f"<p class=MsoNormal><span lang=EN-US style='font-family:Consolas'>{text}<o:p></o:p></span></p>"
        lines.append(re.sub(rf"(.{{{wrap},}}?) ", r"\1\n", source))
    odd = "<![if !supportLists]><span style='mso-list:Ignore'>\u00b7<span>&nbsp;&nbsp; </span></span><![endif]>"
    prose = f"<p class=MsoListParagraph>{odd}my turn<o:p></o:p></p>\n<p class=MsoNormal><o:p>&nbsp;</o:p></p>\n"
    return _OUTLOOK_HEAD + prose + "\n".join(lines) + "\n</div></body></html>\n"


def gmail(block: str, wbr: int = 0, quoted: bool = False) -> str:
    def cut(line: str) -> str:
        pieces = re.findall(rf"\S{{1,{wbr}}}|\s+", line) if wbr else [line]
        return "<wbr>".join(html.escape(piece) for piece in pieces).replace("<wbr> ", " ").replace(" <wbr>", " ")

    lines = "<br>".join(cut(line) for line in block.splitlines())
    if not quoted:
        return f'<div dir="ltr">Hi,<div><br></div><div>{lines}<br></div></div>\n'
    who = 'Axis &lt;<a href="mailto:axis@example.org">axis@example.org</a>&gt;'
    attribution = f'<div dir="ltr" class="gmail_attr">On Sat, 21 Nov 2026 at 10:00, {who} wrote:<br></div>'
    style = 'style="margin:0px 0px 0px 0.8ex;border-left:1px solid rgb(204,204,204);padding-left:1ex"'
    quote = f'<blockquote class="gmail_quote" {style}>{lines}<br></blockquote>'
    return f'<div dir="ltr">ok</div><br><div class="gmail_quote gmail_quote_container">{attribution}{quote}</div>\n'


def gmail_typed(block: str) -> str:
    return "".join(f"<div>{html.escape(line) or '<br>'}</div>" for line in block.splitlines())


def iphone(block: str) -> str:
    """Numbers become telephone links, blanks at the ends hard ones."""
    lines = "<br>".join(
        re.sub(r"\b(\d{4})\b", r'<a href="tel:\1" x-apple-data-detectors="true">\1</a>', html.escape(line))
        for line in block.splitlines()
    )
    meta = '<html><head><meta http-equiv="content-type" content="text/html; charset=utf-8"></head><body dir="auto">'
    return f'{meta}<div dir="ltr">{lines}</div><div dir="ltr">Sent from my iPhone</div></body></html>'


def apple_quote(block: str) -> str:
    space = '<span class="Apple-converted-space">&nbsp;</span>'
    lines = "".join(f"<div>{html.escape(line).replace(' ', space)}</div>" for line in block.splitlines())
    return f'<body>ok<br><div><br><blockquote type="cite"><div>{lines}</div></blockquote></div><br></body>'


def samsung(block: str) -> str:
    lines = "".join(f'<div dir="auto">{html.escape(line) or "<br>"}</div>\n' for line in block.splitlines())
    composer = '<div id="composer_signature" dir="auto">Von meinem Galaxy gesendet</div>'
    return f"<html><head></head><body>{lines}{composer}<div><br></div></body></html>"


def thunderbird_pre(block: str) -> str:
    text = html.escape(block, quote=False)
    cite = '<div class="moz-cite-prefix">Am 21.11.26 um 10:00 schrieb Axis:<br></div>'
    pre = f'<pre class="moz-quote-pre" wrap="">{text}</pre>'
    return f'<html><body><p>ok</p>{cite}<blockquote type="cite" cite="mid:1@x">{pre}</blockquote></body></html>'


def table_layout(block: str) -> str:
    rows = "".join(f"<tr><td style='a;b'>{html.escape(line)}</td></tr>\n" for line in block.splitlines())
    return f"<center><table><tbody>{rows}</tbody></table></center><img src='cid:pixel' alt=''>"


def numeric_entities(block: str) -> str:
    return "<p>" + "".join("<br>" if c == "\n" else f"&#{ord(c)};" for c in block) + "</p>"


def coloured_words(block: str) -> str:
    lines = html.escape(block, quote=False).split("\n")
    return "<br>\n".join(re.sub(r"([\w'-]+)", r'<font color="#123456"><b>\1</b></font>', line) for line in lines)


def upper_case_tags(block: str) -> str:
    return "<HTML><BODY><P>" + "<BR>\r\n".join(html.escape(block).split("\n")) + "</BODY></HTML>"


PAGES = (
    outlook,
    gmail,
    gmail_typed,
    iphone,
    apple_quote,
    samsung,
    thunderbird_pre,
    table_layout,
    numeric_entities,
    coloured_words,
    upper_case_tags,
)


def html_letters(block: str) -> Iterable[Written]:
    pages = {page.__name__: page(block) for page in PAGES}
    pages |= {f"gmail wbr {n}": gmail(block, n) for n in (8, 20, 33)}
    pages |= {"gmail quote": gmail(block, quoted=True), "gmail quote wbr": gmail(block, 25, True)}
    pages |= {f"outlook wrapped at {n}": outlook(block, wrap=n) for n in (10, 40, 72)}
    for name, page in pages.items():
        for charset, coding in (
            ("utf-8", "8bit"),
            ("utf-8", "base64"),
            ("windows-1252", "quoted-printable"),
            ("utf-16", "base64"),
        ):
            yield Written("HTML alone", f"{name} {charset} {coding}", letter(page, "text/html", charset, coding))
        plain = ("Content-Type: text/plain\n", b"This mail needs HTML; sorry.\n")
        rich = ("Content-Type: text/html; charset=utf-8\n", page.encode())
        yield Written("HTML beside text", f"{name}, text without turn", parts("alternative", plain, rich))
        both = ("Content-Type: text/plain\n", block.encode())
        yield Written("HTML beside text", f"{name}, both with turn", parts("alternative", both, rich))


# Replies and forwards.

ATTRIBUTIONS = {
    "English": "On Sat, 21 Nov 2026 at 10:00, Axis <axis@example.org> wrote:",
    "American": "On Nov 21, 2026, at 10:00\u202fAM, Axis <axis@example.org> wrote:",
    "German": "Am 21.11.26 um 10:00 schrieb Axis (Jürgen Groß):",
    "German Outlook": "Von: Axis\nGesendet: Samstag, 21. November 2026 10:00\nAn: Allies\nBetreff: Züge; Würfel",
    "French": "Le sam. 21 nov. 2026 à 10:00, Axis <axis@example.org> a écrit\u00a0:",
    "Spanish": "El sáb, 21 nov 2026 a las 10:00, Axis (<axis@example.org>) escribió:",
    "Italian": "Il giorno sab 21 nov 2026 alle ore 10:00 Axis <axis@example.org> ha scritto:",
    "Portuguese": "Em sáb., 21 de nov. de 2026 às 10:00, Axis <axis@example.org> escreveu:",
    "Dutch": "Op za 21 nov 2026 om 10:00 schreef Axis <axis@example.org>:",
    "Swedish": "Den lör 21 nov. 2026 kl 10:00 skrev Axis <axis@example.org>:",
    "Polish": "sob., 21 lis 2026 o 10:00 Axis <axis@example.org> napisał(a):",
    "Russian": "сб, 21 нояб. 2026 г. в 10:00, Axis <axis@example.org>:",
    "Greek": "Στις Σάβ 21 Νοε 2026 στις 10:00, ο χρήστης Axis έγραψε:",
    "Turkish": "Axis <axis@example.org>, 21 Kas 2026 Cmt, 10:00 tarihinde şunu yazdı:",
    "Hebrew": "\u200fבתאריך שבת, 21 בנוב׳ 2026 ב-10:00 מאת \u202aAxis\u202c:",
    "Arabic": "في السبت، 21 نوفمبر 2026، 10:00 كتب Axis؛",
    "Chinese": "Axis <axis@example.org> 于2026年11月21日周六 10:00写道：",
    "Korean": "2026년 11월 21일 (토) 오전 10:00, Axis <axis@example.org>님이 작성:",
    "Japanese": "2026年11月21日(土) 10:00 Axis <axis@example.org>:",
    "Japanese Outlook": "差出人：Axis\n日時：2026年11月21日\n件名：鳥羽・伏見；第七手番",
}

SEPARATORS = {
    "Outlook": "-----Original Message-----",
    "German Outlook": "-----Ursprüngliche Nachricht-----",
    "French": "-----Message d'origine-----",
    "Gmail": "---------- Forwarded message ---------",
    "Apple": "Begin forwarded message:",
    "Japanese": "-----元のメッセージ-----",
    "rule": "_" * 32,
    "PGP": "-----BEGIN PGP SIGNED MESSAGE-----\nHash: SHA256\n",
}

MARKS = ("> ", ">", ">> ", "> > > ", "| ", " > ", "＞ ", "\t> ")


def quote(text: str, mark: str) -> str:
    return "".join(f"{mark}{line}".rstrip() + "\n" for line in text.splitlines())


def replies(block: str) -> Iterable[Written]:
    """The turn is quoted: a player sends back what he got, or forwards it."""
    for language, line in ATTRIBUTIONS.items():
        for mark in MARKS:
            for top in (True, False):
                quoted = quote(block, mark)
                text = f"Go on.\n\n{line}\n{quoted}" if top else f"{line}\n{quoted}\nGo on; my move.\n"
                where = "above" if top else "below"
                yield Written("quoted replies", f"{language}, {mark!r}, text {where}", letter(text))
    for name, separator in SEPARATORS.items():
        for language, line in ATTRIBUTIONS.items():
            text = f"see below\n\n{separator}\n{line}\n\n{block}"
            yield Written("forwards in the text", f"{name}, {language}", letter(text, coding="quoted-printable"))


NATIVE = {
    "French": ("iso-8859-1", "iso-8859-15", "windows-1252", "utf-16"),
    "Polish": ("iso-8859-2", "windows-1250"),
    "Russian": ("koi8-r", "windows-1251", "iso-8859-5"),
    "Greek": ("iso-8859-7", "windows-1253"),
    "Turkish": ("iso-8859-9", "windows-1254"),
    "Chinese": ("gb2312", "gbk", "gb18030"),
    "Korean": ("euc-kr", "ks_c_5601-1987"),
    "Japanese Outlook": ("iso-2022-jp", "shift_jis", "euc-jp", "cp932", "utf-16le", "utf-16"),
}


def native_replies(block: str) -> Iterable[Written]:
    """Replies in the character sets of the country, right ones and wrongly named ones."""
    for language, charsets in NATIVE.items():
        line = ATTRIBUTIONS[language].replace("\u202f", " ")
        for charset in charsets:
            for coding in ("8bit", "quoted-printable", "base64"):
                if charset.startswith("utf-16") and coding != "base64":
                    continue
                raw = letter(f"{line}\n{quote(block, '> ')}", charset=charset, coding=coding)
                yield Written("national character sets", f"{language} {charset} {coding}", raw)
                if not charset.startswith("utf-16"):
                    for wrong in ("utf-8", "us-ascii", "iso-8859-1", "x-unknown", "koi8-r", "big5"):
                        named = raw.replace(f"charset={charset}".encode(), f"charset={wrong}".encode())
                        yield Written("wrongly named character sets", f"{charset} as {wrong} {coding}", named)


# Lists and other programs on the way.

FOOTERS = {
    "Mailman": "_______________________________________________\nWargames mailing list -- wargames@example.org\n"
    "To unsubscribe send an email to wargames-leave@example.org; thanks;\n",
    "Yahoo": "------------------------------------\n\nYahoo Groups Links;\n<*> To visit: https://example.org/\n",
    "Google": "-- \nYou received this message because you are subscribed to the group; -----BEGIN GROUP-----\n",
    "disclaimer": "CONFIDENTIALITY NOTICE; this e-mail (END PBEM TURN) is privileged;\n" * 9,
    "virus": "-----\nNo virus found in this message.\nChecked by X; version: 1.2;\n",
    "phone": "Envoyé de mon iPhone\n",
    "signature": "-- \nAxis; Tokyo\n-----END OF MAIL-----\n",
}


def lists(block: str) -> Iterable[Written]:
    for name, footer in FOOTERS.items():
        yield Written("list footers and notices", f"{name} behind", letter(f"{block}\n{footer}"))
        yield Written("list footers and notices", f"{name} close behind", letter(block + footer))
        yield Written("list footers and notices", f"{name} before", letter(footer + block))
        first = ("Content-Type: text/plain\n", block.encode())
        last = ("Content-Type: text/plain; charset=utf-8\nContent-Disposition: inline\n", footer.encode())
        yield Written("list footers and notices", f"{name} as a part", parts("mixed", first, last))
        encoded = letter(block, coding="base64") + footer.encode()
        yield Written("list footers and notices", f"{name} put behind base64", encoded)
        encoded = letter(block, coding="quoted-printable") + footer.encode()
        yield Written("list footers and notices", f"{name} put behind quoted-printable", encoded)


def tnef(text: str) -> bytes:
    """winmail.dat with a text body (attBody)."""
    data = text.encode("cp1252") + b"\0"
    checksum = struct.pack("<H", sum(data) % 65536)
    version = b"\x01\x06\x90\x08\x00" + struct.pack("<I", 4) + b"\x00\x00\x01\x00\x01\x00"
    body = b"\x02\x0c\x80\x02\x00" + struct.pack("<I", len(data)) + data + checksum
    return struct.pack("<IH", 0x223E9F78, 1) + version + body


def winmail(block: str) -> Iterable[Written]:
    kind = "Content-Type: application/ms-tnef; name=winmail.dat\nContent-Transfer-Encoding: base64\n"
    packed = (kind, base64.encodebytes(tnef(block)))
    plain = ("Content-Type: text/plain\n", block.encode())
    yield Written("winmail.dat", "beside the text", parts("mixed", plain, packed))
    yield Written("winmail.dat", "before the text", parts("mixed", packed, plain))


# Base64 set in other lines.


def rewrapped(block: str) -> Iterable[Written]:
    for size in (0, 1, 2):
        text = base64.b64encode(("Hi" + "!" * size + "\n" + block).encode()).decode()
        for width in (1, 3, 7, 19, 61, 64, 70, 75, 76, 77, 997, 10**6):
            lines = [text[at : at + width] for at in range(0, len(text), width)]
            forms = {
                "plain": "\n".join(lines),
                "CRLF": "\r\n".join(lines),
                "trailing blanks": "  \n".join(lines),
                "tabs before": "\n".join("\t" + line for line in lines),
                "empty lines": "\n\n".join(lines),
                "without padding": "\n".join(lines).rstrip("=\n"),
                "quoted": "\n".join("> " + line for line in lines),
            }
            for name, body in forms.items():
                head = f"{HEAD}Content-Type: text/plain; charset=utf-8\nContent-Transfer-Encoding: base64\n\n"
                yield Written("base64 set anew", f"width {width} {name} {size}", f"{head}{body}\n".encode())
