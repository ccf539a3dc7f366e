"use strict";
// Mails that leave and mails that came: the phase is ended and sent, a mail is opened, the games are listed.

// `table` is what the parts of the page share.
function postOf(table) {
  const MAIL_MOST = 2 * 1024 * 1024; // bytes of a mail

  // --- sending --------------------------------------------------------------------------------------------------

  async function closed() {
    if (table.judged.closed || table.view.bare) return true;
    const found = await table.asked("choices", { text: table.text, at: null });
    if (!found) return false;
    const closing = found.choices.filter((one) => one.keyword === table.view.closing || one.keyword === "close");
    const best = closing.filter((one) => one.keyword === table.view.closing);
    const which = best.length === 1 ? best : closing;
    if (!which.length) return true;
    let at = 0;
    if (which.length > 1) {
      const answer = await askedIn(_("By which order shall the phase end?"), [], [...which.map((one, place) => [String(place), one.told || one.typed]), ["", _("No, back to the orders")]]);
      if (answer === "") return false;
      at = Number(answer);
    }
    return Boolean(await table.orders.edit("add", { words: which[at].typed }));
  }

  async function finish(close) {
    await table.orders.settled();
    if (table.judged.text !== table.text) await table.orders.judge();
    const before = table.text;
    const none = close && !table.view.bare && !table.judged.items.length;
    if (none && (await askedIn(_("No orders are listed"), paragraphs([_("The phase, or what is asked of me in it, ends then without any order of mine.")]), [["", _("No, back to the orders")], ["yes", _("Yes, end it")]])) !== "yes") return;
    if (close && !(await closed())) return;
    if (table.judged.items.length && !table.checked) await table.orders.check();
    const endings = ((table.checked && table.checked.endings) || []).map((one) => one.told || one);
    if (endings.length) {
      const answer = await askedIn(_("These orders may end the game"), paragraphs([...endings, _("Send them all the same?")]), [["", _("No, back to the orders")], ["yes", _("Yes, send")]]);
      if (answer !== "yes") return back(before);
    }
    const given = { text: table.text, note: the("note").value };
    tell(_("It is being signed and sent."));
    let found = await table.asked("send", { ...given, yes: false });
    tell("");
    if (found && found.doubts) {
      const answer = await askedIn(_("Before it is sent"), paragraphs(found.said), [["", _("No, back to the orders")], ["yes", _("Yes, send")]]);
      if (answer !== "yes") return back(before);
      tell(_("It is being signed and sent."));
      found = await table.asked("send", { ...given, yes: true });
    }
    await sent(found);
  }

  // Nothing is sent: the list is again as it was before it was to be closed.
  function back(before) {
    tell("");
    if (table.text === before) return null;
    table.orders.written(before);
    return table.orders.judge();
  }

  async function sent(answer) {
    const found = await answer;
    if (!found) return;
    if (found.done) {
      the("note").value = "";
      await table.load(false);
    }
    const nodes = [...paragraphs(found.said), ...mailShown(found.mail, found.said.join(" ")), ...(found.done ? news() : [])];
    await askedIn(found.done ? _("Sent") : _("It isn't sent"), nodes, [["", _("Close")]]);
    tell(found.said[found.said.length - 1] || "");
  }

  // What has happened since my orders, and what is due now.
  function news() {
    const { due, outcome } = table.view;
    const lines = (group) => made("ul", {}, ...group.lines.map((line) => made("li", { text: line })));
    return [
      ...(table.view.news || []).flatMap((group) => [made("h3", { text: group.title }), lines(group)]),
      made("p", { cls: "asked-line", text: outcome || due.told }),
    ];
  }

  function mailShown(mail, said) {
    if (!mail) return [];
    const copied = made("span", { role: "status" });
    const whole = made("pre", { tabindex: 0, text: mail.text || "" });
    const copy = async () => {
      try {
        await navigator.clipboard.writeText(mail.text);
        copied.textContent = _("The text of the mail is copied.");
      } catch {
        copied.textContent = _("The browser doesn't let it be copied; mark it here and copy it.");
        whole.closest("details").open = true;
      }
    };
    const link = String(mail.mailto || "").startsWith("mailto:") ? [made("a", { href: mail.mailto, text: _("Write it in the mail program") })] : [];
    return [
      ...(mail.path && !said.includes(mail.path) ? [made("p", { text: _("The mail lies at %(path)s", mail) })] : []),
      ...(mail.to && !said.includes(mail.to) ? [made("p", { text: _("It goes to %(to)s.", mail) })] : []),
      ...(mail.text ? [made("div", { cls: "row" }, button(_("Copy the text of the mail"), copy), ...link, copied), made("details", {}, made("summary", { text: _("The text of the mail") }), whole)] : []),
    ];
  }

  // Propose, claim or resign as the commands do, or have the newest mail once more.
  async function agree(what) {
    const given = { do: what, note: the("note").value, entry: null, yes: false };
    if (what === "again") return sent(table.asked("again"));
    if (what === "withdraw") {
      for (const kind of ["draw", "undo", "resign"]) {
        const found = await table.asked("withdraw", { do: kind });
        if (found?.done || kind === "resign") return sent(found);
      }
    }
    if (what === "undo") given.entry = Number(the("undo-entry").value) || 0;
    if (what === "resign") {
      const buttons = [["", _("Close")], ["yes", _("Yes, give it up")]];
      given.yes = (await askedIn(_("Give the game up?"), paragraphs([_("The opponent has won then; it can't be taken back.")]), buttons)) === "yes";
      if (!given.yes) return null;
    }
    return sent(table.asked("propose", given));
  }

  // --- mails that came, and the games ---------------------------------------------------------------------------

  async function openMail(mail) {
    if (!mail.trim()) return tell(_("No text and no file is there yet."));
    if (new Blob([mail]).size > MAIL_MOST) return tell(_("That is more than 2 MB: no mail of that size is read."));
    tell(_("The mail is being opened."));
    let found;
    try {
      found = await ask("/api/open", { mail });
    } catch (error) {
      found = { done: false, said: [error instanceof Answered ? error.message : _("The program behind this page doesn't answer. `pbem table` starts it again.")], game: null };
    }
    the("mail").close();
    the("mail-text").value = "";
    the("mail-file").value = "";
    const here = found.game === GAME && GAME;
    if (found.done && here) await table.load(false);
    const go = found.game && !here ? [["go", _("Go to its game")]] : [];
    const answer = await askedIn(_("The mail"), [...paragraphs(found.said), ...(found.terms ? [made("pre", { text: found.terms, tabindex: 0 })] : [])], [...go, ["", _("Close")]]);
    tell(found.said[found.said.length - 1] || "");
    if (answer === "go") location.assign(`/game/${encodeURIComponent(found.game)}`);
    else games();
    return null;
  }

  // The text of a file as a mail has it: UTF-8, else each byte a letter.
  async function textOf(file) {
    if (file.size > MAIL_MOST) {
      tell(_("That is more than 2 MB: no mail of that size is read."));
      return "";
    }
    const bytes = await file.arrayBuffer();
    try {
      return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    } catch {
      return new TextDecoder("latin1").decode(bytes);
    }
  }

  function stateOf(game) {
    if (game.wrong) return _("can't be read");
    if (game.busy) return _("at work");
    if (game.offer) return _("offered, not accepted yet");
    if (game.over) return _("over");
    return game.mine ? _("my move") : _("their move");
  }

  async function games() {
    const found = await ask("/api/games", {}).catch((error) => ({ games: [], wrong: error instanceof Answered ? error.message : _("The program behind this page doesn't answer. `pbem table` starts it again.") }));
    const playable = found.games.filter((game) => !game.offer && !game.wrong);
    const line = (game) => [game.name || game.title, game.opponent, stateOf(game)].filter(Boolean).join(_("; "));
    the("games").replaceChildren(...(GAME ? [] : [option("", _("Choose a game."))]), ...playable.map((game) => option(game.id, line(game))));
    the("games").value = GAME;
    if (GAME) return;
    the("all-games").hidden = false;
    the("all-games").replaceChildren(...found.games.map((game) => made("li", {},
      game.offer || game.wrong ? made("span", { text: `${line(game)} ${game.wrong || ""}` }) : made("a", { href: `/game/${encodeURIComponent(game.id)}`, text: line(game) }),
      made("small", { text: [game.title, game.due].filter(Boolean).join(_("; ")) }))));
    told(the("wait"), found.wrong || (found.games.length ? _("Choose a game.") : _("There are no games in this home folder yet: `pbem play` begins one against a bot, `pbem offer` one by mail. Or open the mail with an offer or an accept.")));
  }

  return { finish, sent, agree, openMail, textOf, games };
}
