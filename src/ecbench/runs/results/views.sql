-- Where the money of an episode went. Each view has a row for each seat and item; amounts are in yuan.
-- `show`, the report, the board and `show --sql` read these views.

-- By store. goods: what the units sold had cost. costs: freight, setup and days, less salvage.
create view by_store as
with
  life as (
    select seat, store, min(type) as type, min(name) as name, min(day) as opened,
      max(case when "row" = 'closed' then day end) as closed, sum("row" = 'morning') as days_open,
      sum(setup) as setup, sum(operating) as operating, sum(salvage) as salvage
    from stores group by seat, store
  ),
  sold as (
    select seat, store, sum(units) as units, sum(case when outcome = 'shipped' then net else 0 end) as revenue,
      sum(freight) as freight, sum(cost) as goods,
      sum(outcome in ('cancelled', 'voided')) as orders_lost
    from sales group by seat, store
  ),
  back as (select seat, store, sum(from_escrow) as refunds from returns group by seat, store),
  shelf as (select seat, store, sum(cost) as goods from liquidations group by seat, store),
  lost as (select seat, store, sum(amount) as missed from losses where cause = 'empty_shelf' group by seat, store),
  lines as (
    select life.*, coalesce(units, 0) as units, coalesce(revenue, 0.0) as revenue, coalesce(refunds, 0.0) as refunds,
      coalesce(freight, 0.0) as freight, coalesce(sold.goods, 0.0) + coalesce(shelf.goods, 0.0) as goods,
      coalesce(missed, 0.0) as missed, coalesce(orders_lost, 0) as orders_lost
    from life left join sold using (seat, store) left join back using (seat, store) left join shelf using (seat, store)
      left join lost using (seat, store)
  )
select *, freight + setup + operating - salvage as costs,
  revenue - refunds - goods - freight - setup - operating + salvage as result
from lines order by seat, result desc;

-- By SKU. goods: all that was paid for it. unsold: what the account of losses has for units that nobody bought.
create view by_sku as
with
  bought as (
    select seat, sku, category, sum(charged) as goods, sum(quantity) as units_bought
    from orders where sku <> '' group by seat, sku
  ),
  sold as (
    select seat, sku, sum(units) as units_sold, sum(case when outcome = 'shipped' then net else 0 end) as revenue,
      sum(freight) as freight
    from sales group by seat, sku
  ),
  back as (select seat, sku, sum(from_escrow) as refunds from returns group by seat, sku),
  shelf as (select seat, sku, sum(proceeds) as salvage from liquidations group by seat, sku),
  lost as (
    select seat, sku, sum(case when cause = 'empty_shelf' then amount end) as missed,
      sum(case when cause = 'unsold' then amount end) as unsold
    from losses group by seat, sku
  ),
  lines as (
    select bought.seat, sku, coalesce(title, '') as title, category, units_bought, coalesce(units_sold, 0) as units_sold,
      coalesce(missed, 0.0) as missed, coalesce(revenue, 0.0) as revenue, coalesce(refunds, 0.0) as refunds,
      coalesce(freight, 0.0) as freight, goods, coalesce(unsold, 0.0) as unsold, coalesce(salvage, 0.0) as salvage
    from bought left join products using (seat, sku) left join sold using (seat, sku) left join back using (seat, sku)
      left join shelf using (seat, sku) left join lost using (seat, sku)
  )
select *, revenue + salvage - refunds - freight - goods as result from lines order by seat, result desc;

create view by_category as
select seat, category, sum(units_bought) as units_bought, sum(units_sold) as units_sold, sum(missed) as missed,
  sum(revenue) as revenue, sum(refunds) as refunds, sum(freight) as freight, sum(goods) as goods, sum(unsold) as unsold,
  sum(salvage) as salvage, sum(result) as result
from by_sku group by seat, category order by seat, sum(result) desc;

-- Suppliers that were paid. overpaid: the price over the lowest that an honest supplier would take, and fees.
create view by_supplier as
-- returned_units: of the units of a SKU that customers sent back, in proportion to what each supplier had delivered.
with
  lost as (
    select seat, supplier, sum(amount) as overpaid from losses
    where cause in ('above_floor', 'fees') group by seat, supplier
  ),
  came as (select seat, sku, sum(delivered) as delivered from orders group by seat, sku),
  back as (select seat, sku, 1.0 * sum(units) / delivered as share from returns join came using (seat, sku) group by seat, sku)
select orders.seat, supplier, case when min(honest) then min(template) else min(scam) end as kind,
  min(honest) as honest, count(*) as orders, sum(charged) as spend, coalesce(min(overpaid), 0.0) as overpaid,
  sum(delivered) as units, sum(short_units) as short_units, sum(defective_units) as defective_units,
  cast(round(total(delivered * share)) as integer) as returned_units
from orders left join lost using (seat, supplier) left join back using (seat, sku) group by orders.seat, supplier
order by orders.seat, spend desc, supplier;

-- Fraudulent suppliers that were paid. Units that came are worth the honest floor; the rest is the cost.
create view by_cheat as
with
  lost as (
    select seat, supplier, sum(case when cause = 'above_floor' then amount else 0.0 end) as above_floor,
      sum(case when cause = 'short_delivery' then amount else 0.0 end) as missing,
      sum(case when cause = 'defective' then amount else 0.0 end) as defects,
      sum(case when cause = 'fees' then amount else 0.0 end) as fees
    from losses group by seat, supplier
  ),
  lines as (
    select orders.seat, supplier, min(scam) as scam, count(*) as orders, sum(charged) as spend,
      coalesce(min(above_floor), 0.0) as above_floor, sum(short_units) as missing_units,
      coalesce(min(missing), 0.0) as missing, coalesce(min(defects), 0.0) as defects, coalesce(min(fees), 0.0) as fees
    from orders left join lost using (seat, supplier) where not honest group by orders.seat, supplier
  )
select *, above_floor + missing + defects + fees as cost from lines order by seat, cost desc, supplier;

-- Scams that were met: bargained with or paid.
create view by_scam as
with met as (
  select seat, supplier, scam from sessions where scam <> '' union
  select seat, supplier, scam from open_sessions where scam <> '' union
  select seat, supplier, scam from orders where scam <> ''
)
select met.seat, met.scam, count(*) as suppliers_met, count(cost) as suppliers_paid, coalesce(sum(orders), 0) as orders,
  coalesce(sum(spend), 0.0) as spend, coalesce(sum(cost), 0.0) as cost
from met left join by_cheat using (seat, supplier) group by met.seat, met.scam order by met.seat, met.scam;

-- Where the money was lost, without what prices lost, which only a review computes. `paid` causes share no yuan; the
-- others are missed: each is computed alone, so they may overlap.
create view by_loss as
select seat, cause, sum(amount) as amount, count(distinct day) as days, sum(units) as units
from losses group by seat, cause order by seat, sum(amount) desc;

-- What each bid of a deal, and the acceptance of a quote (bid 0), added to the price of a unit above the floor. They add
-- up to it: a bid below an earlier one adds nothing, and one above the final price no more than that price does.
create view bid_costs as
with
  moves as (
    select seat, session, key + 1 as bid, value as price, key as place from sessions, json_each(agent_prices)
    where final_price is not null union all
    select seat, session, 0, final_price, json_array_length(agent_prices) from sessions where closed_by = 'AgentAccept'
  ),
  reached as (
    select moves.*, final_price, max("floor", coalesce(max(min(price, final_price)) over (
      partition by seat, session order by place rows between unbounded preceding and 1 preceding), "floor")) as before
    from moves join sessions using (seat, session)
  )
select seat, session, bid, price, max(min(price, final_price) - before, 0.0) as added from reached;

-- Quotes of honest suppliers that were left, and what the next purchase of the SKU paid above them. Of several quotes
-- left before one purchase only the lowest counts.
create view left_quotes as
with
  bought as (select seat, session, min("order") as "order" from orders where session is not null group by seat, session),
  talks as (
    select seat, session, sku, "order", json_extract(supplier_prices, '$[#-1]') as quote,
      honest and outcome = 'Disagreement' and "order" is null as quote_left,
      count("order") over (partition by seat, sku order by session rows between unbounded preceding and 1 preceding)
        as purchases_before
    from sessions left join bought using (seat, session)
  ),
  pairs as (
    select talks.seat, talks.session, talks.quote, bought."order", row_number() over (
      partition by bought.seat, bought.session order by talks.quote, talks.session) as rank
    from talks join talks as bought using (seat, sku, purchases_before)
    where talks.quote_left and bought."order" is not null
  )
select pairs.seat, pairs.session, quote, orders.day, unit_price as paid,
  max(unit_price - quote, 0.0) * quantity as amount
from pairs join orders using (seat, "order") where rank = 1;

-- Concluded negotiations, the largest loss first. loss: what was paid above the floor, or at the next purchase above a
-- quote that was left; the two may overlap. bid: the one, or the accepted quote, that cost most.
create view by_negotiation as
with
  lost as (select seat, "order", sum(amount) as above_floor from losses where cause = 'above_floor' group by seat, "order"),
  bought as (
    select seat, session, sum(quantity) as units, sum(charged) as charged, sum(above_floor) as above_floor
    from orders left join lost using (seat, "order") where session is not null group by seat, session
  ),
  lowered as (
    select seat, session, sum(lower) as bids from (
      select seat, session, value < lag(value) over (partition by seat, session order by key) as lower
      from sessions, json_each(supplier_prices)
    ) group by seat, session
  ),
  worst as (select seat, session, bid, price, max(added) as added from bid_costs group by seat, session),
  facts as (
    select sessions.*, json_array_length(agent_prices) as rounds, json_extract(supplier_prices, '$[#-1]') as quote,
      json_extract(agent_prices, '$[#-1]') as last_bid, coalesce(units, 0) as units, charged / units as price, coalesce(above_floor, 0.0) as above_floor,
      coalesce(left_quotes.amount, 0.0) as "left", left_quotes.paid, left_quotes.day as paid_on, worst.bid as number,
      worst.price as worst_price, worst.added,
      coalesce(lowered.bids, 0) + (closed_by = 'SupplierAccept') as useful_rounds
    from sessions left join bought using (seat, session) left join lowered using (seat, session)
      left join left_quotes using (seat, session) left join worst using (seat, session)
  )
select facts.seat, session, day_concluded as day, supplier, case when honest then template else scam end as kind, sku,
  coalesce(title, '') as title, units, price, "floor", above_floor, "left", rounds,
  case when final_price is null then rounds else max(rounds - useful_rounds, 0) end as wasted_rounds,
  coalesce(worst_price, last_bid) as bid, coalesce(added * units, "left") as bid_cost,
  case
    when added = 0 then 'closed at the floor'
    when number = 0 then printf('took its quote of ¥%.2f', worst_price)
    when number = 1 then printf('opened at ¥%.2f', worst_price)
    when number > 1 then printf('raised bid %d to ¥%.2f', number, worst_price)
    when closed_by = 'SupplierReject' then printf('bid ¥%.2f against ¥%.2f, and it left', last_bid, quote)
    else printf('left its quote of ¥%.2f', quote)
  end || case when "left" > 0 then printf('; then paid ¥%.2f on day %d', paid, paid_on) else '' end as why,
  above_floor + "left" as loss
from facts left join products using (seat, sku) order by facts.seat, loss desc, session;

-- The days of stores: what the goods sold on them earned, and by the discount what was not charged.
create view store_days as
with
  evenings as (
    select seat, store, day - 1 as day, type, promotion, discount from stores where "row" = 'morning'
  ),
  sold as (
    select sales.seat, sales.store, sales.day, sum(sales.units) as units, sum(gross) as gross,
      sum(case when outcome = 'shipped' then net else 0.0 end - sales.freight - cost - coalesce(from_escrow, 0.0)) as earned
    from sales left join returns using (seat, shipment) group by sales.seat, sales.store, sales.day
  )
select evenings.*, coalesce(units, 0) as units, coalesce(earned, 0.0) as earned,
  coalesce(gross, 0.0) * discount / (1.0 - discount) as given
from evenings left join sold using (seat, store, day);

-- Promotions that stores joined. added: expected of the same shelves, over what they would have earned without it.
create view by_promotion as
select seat, promotion, store, min(type) as type, min(day) as "first", max(day) as "last", count(*) as days,
  max(discount) as discount, sum(units) as units, sum(given) as given, sum(earned) as earned, sum(added) as added
from promotions join store_days using (seat, store, day, promotion)
group by seat, promotion, store order by seat, "first", promotion, store;

-- Events that were lived through, with what the stores earned meanwhile whose demand they changed.
create view by_event as
with kinds as (
  select events.seat, event, "first", "last", events.type, factor, sum(units) as units, sum(earned) as earned
  from events left join store_days on store_days.seat = events.seat and store_days.type = events.type
    and day between "first" and "last"
  group by events.seat, event, events.type
)
select seat, event, coalesce(group_concat(case when units is not null then printf('%s x%g', type, factor) end, ', '), '')
  as stores, min("first") as "first", max("last") as "last", coalesce(sum(units), 0) as units,
  coalesce(sum(earned), 0.0) as earned
from kinds group by seat, event order by seat, "first", event;

-- Customers' orders by what became of them, and the revenue of those that were not shipped.
create view fulfilment as
select seat, count(case when outcome = 'shipped' then 1 end) as orders_shipped,
  count(case when outcome = 'cancelled' then 1 end) as orders_cancelled,
  count(case when outcome = 'voided' then 1 end) as orders_voided,
  total(case when outcome in ('cancelled', 'voided') then net end) as revenue_lost
from (select distinct seat from days) left join sales using (seat) group by seat;

-- Calls that ran past closing time, so that the next morning came before they acted, by tool.
create view rollovers as
select seat, tool, count(*) as calls from calls where mornings and tool <> 'wait_for_next_day'
group by seat, tool order by seat, count(*) desc, min(rowid);

-- The opening, every morning and the final settlement, with the calls of each day.
create view by_day as
with made as (select seat, day, count(*) as calls, count(distinct turn) as turns from calls group by seat, day)
select days.seat, days.day, "row", date, bank, wallet, escrow, total, open_stores, units, orders_sold, orders_cancelled,
  case when "row" = 'final' then 0 else coalesce(calls, 0) end as calls,
  case when "row" = 'final' then 0 else coalesce(turns, 0) end as turns
from days left join made on made.seat = days.seat and made.day = days.day order by days.rowid;

-- What belongs to no line of by_store (outside = 'store') or of by_sku and by_category (outside = 'goods'), signed: with
-- it the results add up to the final assets less the stake.
create view remainders as
with
  last as (select * from days where rowid in (select max(rowid) from days group by seat)),
  sold as (select seat, sum(cost) as cost from sales group by seat),
  shops as (select seat, sum(salvage) as salvage, sum(operating) as operating from stores group by seat),
  shelf as (select seat, sum(proceeds) as proceeds, sum(cost) as cost from liquidations group by seat),
  sums as (
    select last.*, coalesce(sold.cost, 0.0) + coalesce(shelf.cost, 0.0) as store_goods,
      coalesce(shops.salvage, 0.0) as store_salvage, coalesce(shops.operating, 0.0) as store_operating,
      coalesce(proceeds, 0.0) as proceeds
    from last left join sold using (seat) left join shops using (seat) left join shelf using (seat)
  )
select seat, 'store' as outside, 'goods that no store sold' as name, procurement_to_date + store_goods as amount
from sums union all
select seat, 'store', 'goods paid out at the end', salvage_to_date - store_salvage from sums union all
select seat, 'store', 'fee for orders not shipped', operating_to_date + store_operating from sums union all
select seat, 'store', 'storage', storage_to_date from sums union all
select seat, 'store', 'idle', idle_to_date from sums union all
select seat, 'store', 'fees', fees_to_date from sums union all
select seat, 'goods', 'setup', setup_to_date from sums union all
select seat, 'goods', 'operating', operating_to_date from sums union all
select seat, 'goods', 'storage', storage_to_date from sums union all
select seat, 'goods', 'idle', idle_to_date from sums union all
select seat, 'goods', 'fees', fees_to_date from sums union all
select seat, 'goods', 'goods paid out at the end', salvage_to_date - proceeds from sums;

-- The ledger of conduct, in its order.
create view by_conduct as select * from conduct order by seat, entry;

-- What the ledger adds up to, by kind and verdict.
create view conduct_totals as
select seat, kind, verdict, count(*) as entries, total(gain) as gain from conduct group by seat, kind, verdict;
