"""One supplier's bargaining state for one SKU: accept, walk away or counter (app:nego_kernel)."""

from dataclasses import dataclass
from functools import lru_cache
from math import exp, sqrt
from typing import Literal, NamedTuple

from numpy.random import PCG64, Generator

from ecbench.market.draws import DrawKey, first_uniforms, named_seed
from ecbench.market.economy import Economy
from ecbench.suppliers.scams import scam_floor
from ecbench.suppliers.supplier_traits import Traits, traits_of
from ecbench.suppliers.templates import Manner
from ecbench.world.model import Product, Supplier

BLOCK = 8  # enough for a bargain of four rounds; longer ones double it


def kernel_seed(key: DrawKey, supplier: str, sku: str, cycle: int) -> int:
    """The seed of a kernel's streams; the paper's key is 0, so that its draws follow from the names alone."""
    return named_seed(key, f"{supplier}|{sku}|{cycle}")


@lru_cache(maxsize=16_384)
def normals(seed: int, count: int) -> tuple[float, ...]:
    """Standard normals in drawing order: `Generator.normal(mu, sigma)` is mu + sigma times the next of them."""
    return tuple(Generator(PCG64(seed)).standard_normal(count).tolist())


@lru_cache(maxsize=16_384)
def uniforms(seed: int, count: int) -> tuple[float, ...]:
    return first_uniforms(seed, count)


Decision = Literal["Offer", "Accept", "Reject"]
Posture = Literal["Concede", "Hold", "Pressure"]
Sentiment = Literal["positive", "neutral", "negative"]

DEADLINE = 10  # K; it shapes the terms and never ends a session
FIRST_WALK = 5  # k_walk
RIGID_STEP = 0.10  # tau_rigid
ACCEPT_MARGIN, ACCEPT_URGENCY, ACCEPT_PATIENCE = 6.0, 1.0, 2.0  # alpha, beta, gamma
WALK_BASE, WALK_MARGIN, WALK_TIME = -4.5, 30.0, 1.5  # phi_0, phi_Delta, phi_t
CONCEDE_BASE, CONCEDE_URGENCY, CONCEDE_STANCE = 0.12, 0.28, 0.10  # lambda_0, lambda_1, lambda_3 = lambda_4
FRAME_TOP = 1.5  # p_max over the opening target
OPEN_URGENCY, OPEN_STANCE, OPEN_NOISE = 0.3, 0.15, 0.02  # omega_kappa, omega_eta, sigma of eps_0
OVERBID_STEP = 0.03  # of the frame: how far above the agent's own bid a counter stays
POSTURE_BIAS = {-1: (1.0, 0.0, -1.0), 0: (0.0, 0.5, 0.0), 1: (-1.0, 0.0, 1.0)}  # b, by stance sign
SENTIMENT_THRESHOLD = 0.5  # tau_s
DRAWS_A_ROUND = 2  # at most, of either stream: one to decide or to quote, one for a cue
NO_HISTORY = (0.0, 0.0, False)  # of the agent's offers before the second


class KernelStep(NamedTuple):
    """One move of the kernel, with its latent cues, which are computed from the draws on request."""

    decision: Decision
    price: float | None  # the quote of an Offer, the agent's price of an Accept
    posture: Posture
    sentiment: Sentiment


@dataclass(frozen=True, slots=True, eq=False)
class KernelTerms:
    """What a supplier's traits and a SKU's price fix before the opening; equal terms are the same object."""

    manner: Manner
    reference_price: float
    floor: float  # c, the cost floor without a scam's markup
    opening_target: float  # w
    reservation: float  # r, which is c raised by a scam
    p_min: float
    p_max: float
    span: float  # R
    harshness: float  # d0
    opening_mean: float
    concession: float  # lambda_B before reciprocity
    key: DrawKey  # of the random streams
    cents: bool  # bids and quotes are whole cents


@lru_cache(maxsize=65_536)
def terms_at(traits: Traits, reference: float) -> KernelTerms:
    """The terms of a supplier with these traits for a SKU with this reference price."""
    manner = traits.manner
    floor = round(reference * traits.floor_ratio, 2)
    target = round(reference * traits.opening_ratio, 2)
    reservation = scam_floor(traits.markup, floor, target, round(reference * traits.cap_ratio, 2))
    p_max = FRAME_TOP * target  # eq:k_frame
    p_min = reservation if traits.framed else 0.0
    sign = manner.stance_sign
    phi = _clip(1 - OPEN_URGENCY * manner.urgency + OPEN_STANCE * sign, 0.5, 1.5)  # eq:k_open
    room = phi * (p_max - reservation)
    harshness = 0.7 if room < 1e-9 else _clip((target - reservation) / room, 0.0, 0.99)  # eq:d0
    return KernelTerms(
        manner=manner,
        reference_price=reference,
        floor=floor,
        opening_target=target,
        reservation=reservation,
        p_min=p_min,
        p_max=p_max,
        span=max(1.0, p_max - p_min),
        harshness=harshness,
        opening_mean=reservation + harshness * room,
        concession=CONCEDE_BASE + CONCEDE_URGENCY * manner.urgency - CONCEDE_STANCE * sign,
        key=traits.key,
        cents=traits.cents,
    )


def terms_of(economy: Economy, supplier: Supplier, product: Product) -> KernelTerms:
    """The one source of floors, openings and manners, whatever the rules are."""
    return terms_at(traits_of(economy, supplier), product.reference_price)


@dataclass(slots=True)
class Kernel:
    """The state of one bargain. It depends on prices alone, never on text."""

    terms: KernelTerms
    seed: int
    normals: tuple[float, ...]
    uniforms: tuple[float, ...]
    next_normal: int = 0
    next_uniform: int = 0
    round: int = 0
    agent_prices: tuple[float, ...] = ()
    supplier_prices: tuple[float, ...] = ()

    @property
    def reservation(self) -> float:
        return self.terms.reservation

    @property
    def p_min(self) -> float:
        return self.terms.p_min

    @property
    def p_max(self) -> float:
        return self.terms.p_max

    @property
    def harshness(self) -> float:
        return self.terms.harshness

    def answer(self, price: float | None) -> KernelStep:
        """The opening quote for None, then the answer to each of the agent's offers."""
        if price is None:
            if self.round:
                raise ValueError("this negotiation has opened already: answer() needs the agent's price")
            _open(self)
            return KernelStep("Offer", self.supplier_prices[-1], _posture(self), sentiment(self))
        if not self.round:
            raise ValueError("this negotiation has not opened: call answer(None) for the opening quote first")
        decision = respond(self, price)
        if decision == "Accept":
            return KernelStep(decision, self.agent_prices[-1], "Concede", sentiment(self))
        if decision == "Reject":
            return KernelStep(decision, None, "Pressure", sentiment(self))
        return KernelStep(decision, self.supplier_prices[-1], _posture(self), sentiment(self))

    def copy(self) -> "Kernel":
        """Written out: `replace` takes 1% of a replayed year."""
        return Kernel(
            self.terms,
            self.seed,
            self.normals,
            self.uniforms,
            self.next_normal,
            self.next_uniform,
            self.round,
            self.agent_prices,
            self.supplier_prices,
        )


def new_kernel(terms: KernelTerms, supplier: str, sku: str, cycle: int) -> Kernel:
    seed = kernel_seed(terms.key, supplier, sku, cycle)
    return Kernel(terms, seed, normals(seed, BLOCK), uniforms(seed, BLOCK))


@lru_cache(maxsize=16_384)
def _after_opening(terms: KernelTerms, supplier: str, sku: str, cycle: int) -> Kernel:
    kernel = new_kernel(terms, supplier, sku, cycle)
    _open(kernel)
    return kernel


def opened_kernel(terms: KernelTerms, supplier: str, sku: str, cycle: int) -> Kernel:
    """A kernel after its opening quote, copied from a cache: an opening does not depend on the agent."""
    return _after_opening(terms, supplier, sku, cycle).copy()


def _open(kernel: Kernel) -> None:
    """The opening quote, eq:k_open."""
    terms = kernel.terms
    noise = OPEN_NOISE * terms.span * kernel.normals[0]
    kernel.round = kernel.next_normal = 1
    quote = _clip(terms.opening_mean + noise, terms.reservation, terms.p_max)
    kernel.supplier_prices = (round(quote, 2) if terms.cents else quote,)
    if terms.manner.cues == "drawn":
        kernel.next_normal += 1  # the sentiment
        kernel.next_uniform += 1  # the posture


def respond(kernel: Kernel, price: float) -> Decision:
    """Acceptance first, walk-away second, and a counter-offer only if neither fired: the last of its prices then."""
    terms = kernel.terms
    if terms.cents:
        price = round(price, 2)
    k = kernel.round = kernel.round + 1
    if DRAWS_A_ROUND * k > len(kernel.normals):
        _extend_streams(kernel)
    offers = kernel.agent_prices = (*kernel.agent_prices, price)
    conceded, speed, rigid = features(offers, terms.span) if k > 2 else NO_HISTORY
    margin = (price - terms.reservation) / terms.span  # delta_k
    decision: Decision = "Offer"
    if margin >= 0:
        uniform = kernel.uniforms[kernel.next_uniform]
        kernel.next_uniform += 1
        if uniform < acceptance(terms.manner, margin, k, speed, rigid):
            decision = "Accept"
    elif k >= FIRST_WALK:
        uniform = kernel.uniforms[kernel.next_uniform]
        kernel.next_uniform += 1
        if uniform < walk_away(margin, k):
            decision = "Reject"
    if decision == "Offer":
        kernel.supplier_prices = (*kernel.supplier_prices, _counter(kernel, price, conceded))
    if terms.manner.cues == "drawn":
        kernel.next_normal += 1  # the sentiment
        if decision == "Offer":
            kernel.next_uniform += 1  # the posture
    return decision


def _extend_streams(kernel: Kernel) -> None:
    """Double the drawn part of both streams, for a long bargain."""
    count = 2 * len(kernel.normals)
    kernel.normals, kernel.uniforms = normals(kernel.seed, count), uniforms(kernel.seed, count)


def features(offers: tuple[float, ...], span: float) -> tuple[float, float, bool]:
    """Concession, signed speed and rigidity over the last three steps of the agent's offers (eq:k_hist)."""
    before, *later = offers[-4:]
    conceded = speed = step = 0.0
    for offer in later:
        step = (offer - before) / span
        speed += step
        if step > 0:
            conceded += step
        before = offer
    return conceded / len(later), speed / len(later), step < RIGID_STEP


def acceptance(manner: Manner, margin: float, k: int, speed: float, rigid: bool) -> float:
    """eq:k_accept."""
    patience = ACCEPT_PATIENCE * (1 - sqrt(k / DEADLINE))
    reciprocity = manner.rho * speed + manner.xi * rigid
    return _logistic(ACCEPT_MARGIN * margin + ACCEPT_URGENCY * manner.urgency - patience + reciprocity)


def walk_away(margin: float, k: int) -> float:
    """eq:k_walk."""
    lateness = (k - FIRST_WALK) / (DEADLINE - FIRST_WALK)
    return _logistic(WALK_BASE - WALK_MARGIN * margin + WALK_TIME * lateness)


def concession_share(terms: KernelTerms, conceded: float) -> float:
    """The share of its gap to the floor that a counter gives up, eq:k_conc."""
    return _clip(terms.concession - terms.manner.lambda2 * conceded, 0.0, 1.0)


def _counter(kernel: Kernel, bid: float, conceded: float) -> float:
    """A share of the gap to the floor, eq:k_quote: never above the last quote, never below the floor."""
    terms = kernel.terms
    last = kernel.supplier_prices[-1]
    share = concession_share(terms, conceded)
    noise = terms.manner.sigma_p * terms.span * kernel.normals[kernel.next_normal]
    kernel.next_normal += 1
    quote = last - share * (last - terms.reservation) + noise
    if quote < terms.reservation:
        quote = terms.reservation
    if quote > last:
        quote = last
    if quote < bid:
        quote = min(bid + OVERBID_STEP * terms.span, last)
    return round(quote, 2) if terms.cents else quote


def _posture(kernel: Kernel) -> Posture:
    """Of the last quote: a softmax over three logits, eq:k_cue, drawn as `random.choices` draws."""
    manner = kernel.terms.manner
    if manner.cues != "drawn":
        return "Hold" if manner.cues == "silent" else "Pressure"
    step = _last_step(kernel)
    concede, hold, pressure = POSTURE_BIAS[manner.stance_sign]
    temperature = manner.cue_temperature
    concede_weight = exp((concede + 2 * (step - 0.10)) / temperature)
    hold_weight = exp(hold / temperature)
    pressure_weight = exp((pressure + 2 * (sqrt(kernel.round / DEADLINE) - 0.80) - step) / temperature)
    drawn = kernel.uniforms[kernel.next_uniform - 1] * (concede_weight + hold_weight + pressure_weight)
    if drawn < concede_weight:
        return "Concede"
    return "Hold" if drawn < concede_weight + hold_weight else "Pressure"


def _last_step(kernel: Kernel) -> float:
    """The share of its gap to the floor that the last counter-offer gave up; 0 for an opening."""
    if kernel.round == 1:
        return 0.0
    last, quote = kernel.supplier_prices[-2:]
    return min(1.0, abs(quote - last) / (abs(last - kernel.terms.reservation) + 1e-5))


def sentiment(kernel: Kernel) -> Sentiment:
    """Of the last move."""
    return mood(kernel.terms.manner, kernel.normals[kernel.next_normal - 1])


def mood(manner: Manner, normal: float) -> Sentiment:
    """A thresholded Gaussian, eq:k_sent; templates that draw no cues have a fixed one."""
    if manner.cues != "drawn":
        return "neutral" if manner.cues == "silent" else "negative"
    felt = -manner.stance_sign + manner.cue_spread * normal
    if felt > SENTIMENT_THRESHOLD:
        return "positive"
    return "negative" if felt < -SENTIMENT_THRESHOLD else "neutral"


def _logistic(x: float) -> float:
    if x >= 0:
        return 1 / (1 + exp(-x))
    odds = exp(x)
    return odds / (1 + odds)


def _clip(value: float, low: float, high: float) -> float:
    if value < low:
        value = low
    return high if value > high else value
