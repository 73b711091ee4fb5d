"""The template voice: what a letter says, what it never says, and the stories that scams tell."""

import json
import re
from collections.abc import Callable
from dataclasses import fields, is_dataclass, replace
from typing import Any

import pytest
from msgspec import structs
from tests.suppliers.conftest import Talk, offer

from ecbench.market.books import Books
from ecbench.market.economy import Economy
from ecbench.market.marketplace import Account, Marketplace
from ecbench.rules import DEFAULT_RULES
from ecbench.suppliers import voices
from ecbench.suppliers.catalog import catalog_text, price_list_in
from ecbench.suppliers.conversation import converse
from ecbench.suppliers.desk import SupplierDesk
from ecbench.suppliers.kernel import Kernel, KernelTerms
from ecbench.suppliers.records import Decision, Exchange, OrderResult, Response
from ecbench.suppliers.sessions import Pair
from ecbench.suppliers.voices import Scene, TemplateVoice, get_voice, register_voice, voice_names
from ecbench.suppliers.voices.letters import tone_of
from ecbench.world.model import Supplier, World

SceneOf = Callable[..., Scene]


@pytest.fixture
def scene_of(account: Account) -> SceneOf:
    """What a voice sees that words a response again, after a number of other messages."""

    def scene(supplier: Supplier, response: Response, number: int = 4) -> Scene:
        past = (Exchange(supplier.name, account.market.date, 480, "Hi.", "Hello.", ordered=False),) * number
        return Scene(
            account.economy, supplier, "Hello.", response.answers, response.orders, past, 1_000.0, member=False
        )

    return scene


def test_first_contact_without_an_action_shows_the_catalog_once(talk: Talk) -> None:
    first, second = talk("candid").reply, talk("candid").reply
    for detail in ("aaa111", "Fern Ginseng Capsules", "Small", "¥199.75", "¥149.81", "bbb222", "days"):
        assert detail in first
    assert "zzz999" not in first
    assert "aaa111" not in second
    assert "bbb222" in talk("candid", prose="Could you send your catalog again?").reply


def test_an_offer_is_answered_with_the_exact_quote_in_cents(talk: Talk) -> None:
    exchange = talk("candid", offer(50.0))
    assert exchange.answers[0].price is not None
    assert f"¥{exchange.answers[0].price:,.2f}" in exchange.reply
    assert "Fern Ginseng Capsules" in exchange.reply


def test_the_tone_of_a_counter_shows_and_nothing_else_of_the_kernel(
    scene_of: SceneOf, talk: Talk, by_kind: dict[str, Supplier]
) -> None:
    exchange = talk("candid", offer(50.0))
    voice = TemplateVoice()
    letters = set()
    for tone in ("positive", "neutral", "negative"):
        exchange.answers[0] = structs.replace(exchange.answers[0], tone=tone)
        letters.add(voice.reply(scene_of(by_kind["candid"], exchange)))
    assert len(letters) == 3


def test_the_same_scene_is_answered_in_the_same_words_and_another_world_names_its_own_goods(
    scene_of: SceneOf, talk: Talk, by_kind: dict[str, Supplier], world: World
) -> None:
    scene = scene_of(by_kind["candid"], talk("candid", offer(50.0)))
    voice = TemplateVoice()
    letter = voice.reply(scene)
    assert voice.reply(scene) == get_voice("template").reply(scene) == letter
    assert "Fern Ginseng Capsules" in letter
    renamed = replace(world.products[0], title="Fern Ginseng Powder")
    other = replace(world, products=(renamed, *world.products[1:]))
    told = voice.reply(
        structs.replace(
            scene,
            economy=Economy.of(other, DEFAULT_RULES),
            answers=[structs.replace(scene.answers[0], product=renamed)],
        )
    )
    assert told == letter.replace("Fern Ginseng Capsules", "Fern Ginseng Powder")


def test_order_lines_stand_under_the_prose(talk: Talk) -> None:
    reply = talk("candid", offer(1_000.0, 3), offer(1_000.0, 0, "bbb222")).reply
    confirmed, refused = reply.splitlines()[-2:]
    assert "aaa111" in confirmed and "x3" in confirmed and "¥1,000.00" in confirmed
    assert "bbb222" in refused and "not placed" in refused and "at least 1" in refused


def test_a_year_of_letters_does_not_read_like_a_form(talk: Talk) -> None:
    replies = {re.sub(r"¥[\d,.]+", "¥", talk("taciturn", offer(50.0)).reply) for _ in range(12)}
    assert len(replies) == 12


def test_membership_is_pitched_in_every_letter_with_the_exact_fee_and_the_share_that_members_pay(talk: Talk) -> None:
    letters = [talk("vip_fee", offer(50.0 + number)).reply for number in range(8)]
    assert all(said in letter for letter in letters for said in ("Premium Membership", "¥1,000", "30%"))
    assert "¥59.92" in letters[0] and "¥199.75" in letters[0]  # 30% of the market price, and the market price


def test_members_are_thanked_instead_of_pitched(talk: Talk) -> None:
    talk("vip_fee")
    paid = talk("vip_fee", prose="I agree to pay the membership fee now.").reply
    assert "Membership fee received: ¥1,000.00" in paid
    later = talk("vip_fee", offer(50.0)).reply
    assert "Premium Member" in later and "¥1,000" not in later


def test_the_next_order_is_promised_at_20_to_40_percent_of_reference_and_always_the_same(talk: Talk) -> None:
    letters = [talk("future_discount", offer(float(price))).reply for price in range(40, 48)]
    shares = {int(share) for letter in letters for share in re.findall(r"(\d+)% of (?:the )?reference", letter)}
    assert len(shares) == 1 and 20 <= min(shares) <= 40
    assert f"¥{199.75 * shares.pop() / 100:,.2f}" in letters[0]


def test_urgency_is_pressed_in_every_letter_and_by_an_honest_supplier_only_as_what_others_say(talk: Talk) -> None:
    pressing = re.compile(
        r"until (tonight|this evening)|go(es)? up|running out|nearly gone|last of the|last day|cannot wait"
    )
    calm = re.compile(r"every week|same|all they wanted|keeps its prices|until you have compared")
    assert all(pressing.search(talk("fake_urgency", offer(50.0)).reply) for _ in range(8))
    for _ in range(40):
        letter = talk("adversarial", offer(50.0)).reply
        assert calm.search(letter) or not pressing.search(letter)


@pytest.mark.parametrize("scam", ["qty_bait", "quality_downgrade"])
def test_scams_in_the_goods_write_word_for_word_like_an_honest_supplier_in_the_same_tone(
    scene_of: SceneOf, talk: Talk, by_kind: dict[str, Supplier], scam: str
) -> None:
    exchange = talk(scam, offer(50.0), offer(1_000.0, 2, "bbb222"))
    honest = replace(by_kind[scam], scam="", template="candid")
    voice = TemplateVoice()
    for number in range(10):
        scene = scene_of(by_kind[scam], exchange, number)
        answers = [structs.replace(answer, tone=tone_of(scene, answer)) for answer in scene.answers]
        twin = structs.replace(scene_of(honest, exchange, number), answers=answers)
        assert voice.reply(scene) == voice.reply(twin)


HIDDEN_WORDS = re.compile(
    r"\b(?:expressive|candid|stochastic|taciturn|strategic|adversarial|hardball|vip_fee|future_discount|fake_urgency"
    r"|qty_bait|quality_downgrade|reservation|floor|honest|fraudulent|template|kernel|posture|sentiment|positive"
    r"|negative|neutral|conciliatory|aggressive|order limit)\b",
    re.IGNORECASE,
)


def test_letters_never_name_a_type_a_label_a_cue_or_a_floor(talk: Talk, world: World, account: Account) -> None:
    kinds = [s.scam or s.template for s in world.suppliers]
    for kind in kinds:
        exchanges = [talk(kind, prose="Catalog please"), talk(kind, offer(20.0)), talk(kind, offer(1_000.0, 1))]
        exchanges += [
            talk(kind, offer(30.0), {"action": "reject", "sku_id": "aaa111"}),
            talk(kind, offer(9.0, sku="x")),
        ]
        exchanges += [talk(kind, *[offer(1.0)] * 6)]
        for exchange in exchanges:
            assert not HIDDEN_WORDS.search(exchange.reply), exchange.reply
            quoted = {f"{a.price:.2f}" for a in exchange.answers if a.price is not None}
            for hidden in {"101.27", "110.26", "0.507", "0.552", "224.71", "224.72"} - quoted:
                assert hidden not in exchange.reply


def test_an_unknown_voice_is_refused_with_the_known_ones() -> None:
    with pytest.raises(ValueError, match="template"):
        get_voice("opera")


def test_a_voice_of_ones_own_can_be_registered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(voices, "_factories", {"template": TemplateVoice})

    class Terse(TemplateVoice):
        def reply(self, scene: Scene) -> str:
            return "Yes." if scene.answers else "No."

    register_voice("terse", Terse)
    assert "terse" in voice_names()
    assert isinstance(get_voice("terse"), Terse)


class Listener(TemplateVoice):
    """Speaks as ever, and keeps what it was given."""

    def __init__(self) -> None:
        self.replied: list[Scene] = []
        self.heard: list[Scene] = []

    def reply(self, scene: Scene) -> str:
        self.replied.append(scene)
        return super().reply(scene)

    def hears_membership(self, scene: Scene) -> bool:
        self.heard.append(scene)
        return super().hears_membership(scene)


def test_a_scene_tells_of_earlier_letters_deals_and_memberships(
    account: Account, by_kind: dict[str, Supplier], desk: SupplierDesk
) -> None:
    voice, supplier = Listener(), by_kind["vip_fee"]

    def write(content: str) -> Response:
        return converse(desk, account, voice, supplier, content)

    greeted, joined = write("Hello."), write("I agree to pay the membership fee now.")
    write("Thank you.")
    scene = voice.replied[-1]
    assert [letter.sender for letter in scene.letters] == ["agent", supplier.name] * 2
    assert [letter.content for letter in scene.letters][1::2] == [greeted.reply, joined.reply]
    assert scene.deals == [desk.exchanges[supplier.name][1].letters]
    assert [(each.number, each.member) for each in voice.replied] == [(0, False), (1, True), (2, True)]
    assert [(each.number, each.member, each.orders) for each in voice.heard] == [(1, False, [])]
    assert scene.membership_fee == 1_000.0


def test_a_voice_cannot_reach_the_books_or_a_floor(
    account: Account, by_kind: dict[str, Supplier], desk: SupplierDesk
) -> None:
    voice = Listener()
    message = f"```negotiate\n{json.dumps([offer(1_000.0), offer(20.0, sku='bbb222')])}\n```"
    converse(desk, account, voice, by_kind["candid"], message)
    reachable, fresh = {}, [voice.replied[0]]
    while fresh:
        thing = fresh.pop()
        if id(thing) not in reachable and type(thing).__module__ != "ecbench.world.model":
            reachable[id(thing)] = thing
            parts = thing if isinstance(thing, list | tuple) else vars_of(thing)
            fresh += parts
    kinds: set[type] = {type(thing) for thing in reachable.values()}
    assert {Scene, Decision, OrderResult} <= kinds
    assert not kinds & {SupplierDesk, Account, Marketplace, Books, Pair, Kernel, KernelTerms}


def vars_of(thing: Any) -> list[Any]:
    names = [each.name for each in fields(thing)] if is_dataclass(thing) else getattr(thing, "__struct_fields__", ())
    return [getattr(thing, name) for name in names]


@pytest.mark.parametrize(
    ("lead_days", "advertised"), [((3, 7), "3 to 7 days"), ((9, 9), "9 days"), ((0, 1), "0 to 1 days")]
)
def test_a_price_list_advertises_the_days_that_orders_take(
    account: Account, by_kind: dict[str, Supplier], lead_days: tuple[int, int], advertised: str
) -> None:
    rules = account.rules.with_overrides({"lead_days": lead_days})
    listed, _ = price_list_in(catalog_text(Economy(account.world, rules), by_kind["candid"]))
    assert [line.quote for line in listed] == [149.81, 66.3]
    assert {line.delivery for line in listed} == {advertised}
