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
      const answer = await askedIn(word("closing_title"), [], [...which.map((one, place) => [String(place), one.told || one.typed]), ["", word("send_no")]]);
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
    if (none && (await askedIn(word("none_title"), paragraphs([word("none_ask")]), [["", word("send_no")], ["yes", word("none_yes")]])) !== "yes") return;
    if (close && !(await closed())) return;
    if (table.judged.items.length && !table.checked) await table.orders.check();
    const endings = ((table.checked && table.checked.endings) || []).map((one) => one.told || one);
    if (endings.length) {
      const answer = await askedIn(word("ends_title"), paragraphs([...endings, word("ends_ask")]), [["", word("send_no")], ["yes", word("send_yes")]]);
      if (answer !== "yes") return back(before);
    }
    const given = { text: table.text, note: the("note").value };
    say(word("sending"));
    let found = await table.asked("send", { ...given, yes: false });
    say("");
    if (found && found.doubts) {
      const answer = await askedIn(word("doubts_title"), paragraphs(found.said), [["", word("send_no")], ["yes", word("send_yes")]]);
      if (answer !== "yes") return back(before);
      say(word("sending"));
      found = await table.asked("send", { ...given, yes: true });
    }
    await sent(found);
  }

  // Nothing is sent: the list is again as it was before it was to be closed.
  function back(before) {
    say("");
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
    await askedIn(word(found.done ? "sent_title" : "wrong_title"), [...paragraphs(found.said), ...mailShown(found.mail, found.said.join(" "))], [["", word("close")]]);
    say(found.said[found.said.length - 1] || "");
  }

  function mailShown(mail, said) {
    if (!mail) return [];
    const copied = made("span", { role: "status" });
    const whole = made("pre", { tabindex: 0, text: mail.text || "" });
    const copy = async () => {
      try {
        await navigator.clipboard.writeText(mail.text);
        copied.textContent = word("copied");
      } catch {
        copied.textContent = word("copy_failed");
        whole.closest("details").open = true;
      }
    };
    const link = String(mail.mailto || "").startsWith("mailto:") ? [made("a", { href: mail.mailto, text: word("mailto") })] : [];
    return [
      ...(mail.path && !said.includes(mail.path) ? [made("p", { text: word("mail_at", mail) })] : []),
      ...(mail.to && !said.includes(mail.to) ? [made("p", { text: word("mail_to", mail) })] : []),
      ...(mail.text ? [made("div", { cls: "row" }, button(word("copy"), copy), ...link, copied), made("details", {}, made("summary", { text: word("mail_text") }), whole)] : []),
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
      const buttons = [["", word("close")], ["yes", word("resign_yes")]];
      given.yes = (await askedIn(word("resign_title"), paragraphs([word("resign_ask")]), buttons)) === "yes";
      if (!given.yes) return null;
    }
    return sent(table.asked("propose", given));
  }

  // --- mails that came, and the games ---------------------------------------------------------------------------

  async function openMail(mail) {
    if (!mail.trim()) return say(word("no_mail"));
    if (new Blob([mail]).size > MAIL_MOST) return say(word("too_large"));
    say(word("opening"));
    let found;
    try {
      found = await ask("/api/open", { mail });
    } catch (error) {
      found = { done: false, said: [error instanceof Answered ? error.message : word("gone")], game: null };
    }
    the("mail").close();
    the("mail-text").value = "";
    the("mail-file").value = "";
    const here = found.game === GAME && GAME;
    if (found.done && here) await table.load(false);
    const go = found.game && !here ? [["go", word("go_there")]] : [];
    const answer = await askedIn(word("opened_title"), paragraphs(found.said), [...go, ["", word("close")]]);
    say(found.said[found.said.length - 1] || "");
    if (answer === "go") location.assign(`/game/${encodeURIComponent(found.game)}`);
    else games();
    return null;
  }

  // The text of a file as a mail has it: UTF-8, else each byte a letter.
  async function textOf(file) {
    if (file.size > MAIL_MOST) {
      say(word("too_large"));
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
    if (game.wrong) return word("wrong_game");
    if (game.busy) return word("busy");
    return word(game.offer ? "offered" : game.over ? "over" : game.mine ? "mine" : "theirs");
  }

  async function games() {
    const found = await ask("/api/games", {}).catch((error) => ({ games: [], wrong: error instanceof Answered ? error.message : word("gone") }));
    const playable = found.games.filter((game) => !game.offer && !game.wrong);
    const line = (game) => [game.name || game.title, game.opponent, stateOf(game)].filter(Boolean).join("; ");
    the("games").replaceChildren(...(GAME ? [] : [option("", word("choose"))]), ...playable.map((game) => option(game.id, line(game))));
    the("games").value = GAME;
    if (GAME) return;
    the("all-games").hidden = false;
    the("all-games").replaceChildren(...found.games.map((game) => made("li", {},
      game.offer || game.wrong ? made("span", { text: `${line(game)} ${game.wrong || ""}` }) : made("a", { href: `/game/${encodeURIComponent(game.id)}`, text: line(game) }),
      made("small", { text: [game.title, game.due].filter(Boolean).join("; ") }))));
    told(the("wait"), found.wrong || word(found.games.length ? "choose" : "no_games"));
  }

  return { finish, sent, agree, openMail, textOf, games };
}
