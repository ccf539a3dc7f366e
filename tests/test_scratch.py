import random
def test_duel(duel):
    d = duel()
    c = random.Random(1)
    while d.bot_plays(c): pass
    print(len(d.blocks), d.table.game.outcome, d.tables["anna"].game.outcome)
    import collections
    print(collections.Counter(s["kind"] for s in d.table.steps))
    for s in d.table.steps: print(s)
    assert d.table.dump() == d.tables["anna"].dump() == d.tables["ben"].dump() == d.replayed().dump()
def test_post(post):
    post.begun()
    print(len(post.bots(random.Random(1))))
    from pbem import report
    from pbem.view import report_data
    for n in ("anna","ben"):
        p = post.place(n)
        print(report.text(report_data(p.table, post.scenario, n)))
