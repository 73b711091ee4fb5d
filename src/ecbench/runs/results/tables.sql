-- The tables of an episode, with the rows of all its seats. `year_tables` fills them, data frames and exports follow from
-- them, and the reference of the docs explains every column (docs/site_build/meanings.toml).

-- The head of the record that the tables were made from.
create table results (schema integer, record text);

-- The opening, every morning and the final settlement; amounts `to_date` are signed.
create table days (
  seat integer not null, "row" text not null, day integer not null, date text not null, bank real not null,
  wallet real not null, escrow real not null, total real not null, open_stores integer not null,
  units integer not null, storage real not null, orders_sold integer not null, orders_cancelled integer not null,
  orders_voided integer not null, setup_to_date real not null, operating_to_date real not null,
  idle_to_date real not null, storage_to_date real not null, freight_to_date real not null,
  procurement_to_date real not null, fees_to_date real not null, revenue_to_date real not null,
  refunds_to_date real not null, salvage_to_date real not null
) strict;

-- One SKU sold in one store on one day. cost: of its units, on average over those in stock that day, less those that
-- came back to the warehouse.
create table sales (
  seat integer not null, shipment integer not null, day integer not null, store text not null, sku text not null,
  category text not null, units integer not null, price real not null, reference_price real not null,
  gross real not null, commission real not null, net real not null, lost_units integer not null,
  outcome text not null, outcome_day integer, speed text not null, freight real not null, cost real not null
) strict;

-- Units of a shipment that came back.
create table returns (
  seat integer not null, day integer not null, store text not null, sku text not null, category text not null,
  shipment integer not null, units integer not null, price real not null, refund real not null,
  from_escrow real not null, freight real not null, restocked integer not null, speed text not null,
  natural_rate real not null, blended_rate real not null, priced_rate real not null, capped_rate real not null,
  return_rate real not null
) strict;

-- A store when it opened, on each morning after its settlement, and when it closed.
create table stores (
  seat integer not null, "row" text not null, day integer not null, store text not null, type text not null,
  name text not null, reputation real not null, listings integer not null, units integer not null,
  capacity_used real not null, promotion text not null, discount real not null, setup real not null,
  operating real not null, salvage real not null
) strict;

-- Units of a SKU that were sold off with their store. cost: of the units.
create table liquidations (
  seat integer not null, day integer not null, store text not null, sku text not null, category text not null,
  units integer not null, proceeds real not null, cost real not null
) strict;

-- Concluded negotiations. Lists are JSON.
create table sessions (
  seat integer not null, session integer not null, supplier text not null, sku text not null,
  category text not null, honest integer not null, template text not null, scam text not null,
  reference_price real not null, floor real not null, opening_target real not null, agent_prices text not null,
  supplier_prices text not null, turns integer not null, outcome text not null, final_price real,
  closed_by text not null, day_opened integer not null, day_concluded integer not null,
  critical_violations text not null, secondary_violations text not null
) strict;

-- Negotiations that were not concluded when the episode ended.
create table open_sessions (
  seat integer not null, supplier text not null, sku text not null, category text not null, honest integer not null,
  template text not null, scam text not null, reference_price real not null, floor real not null,
  opening_target real not null, agent_prices text not null, supplier_prices text not null, turns integer not null,
  standing real not null, day_opened integer not null
) strict;

-- Purchase orders. A membership fee is an order without a SKU and without a session.
create table orders (
  seat integer not null, "order" integer not null, session integer, day integer not null, placed text not null,
  supplier text not null, sku text not null, category text not null, honest integer not null,
  template text not null, scam text not null, quantity integer not null, unit_price real not null, floor real,
  charged real not null, delivered integer not null, short_units integer not null, defective_units integer not null,
  arrives text not null, day_received integer
) strict;

-- Every call. minutes: what it took; mornings: how many came while it ran.
create table calls (
  seat integer not null, call integer not null, turn integer not null, day integer not null, time text not null,
  tool text not null, minutes integer not null, mornings integer not null, ok integer not null, error text not null
) strict;

-- What one cause took on one day, for one subject.
create table losses (
  seat integer not null, day integer not null, cause text not null, amount real not null, store text, sku text,
  supplier text, units integer not null, "order" integer, turn integer
) strict;

-- Where failure modes showed.
create table failures (
  seat integer not null, mode text not null, day integer not null, turn integer, what text not null, lost real,
  supplier text, sku text, session integer, "order" integer
) strict;

-- A day of a store in a promotion. added: what its shelf was expected to earn, less what it would have without it.
create table promotions (
  seat integer not null, day integer not null, store text not null, promotion text not null, added real not null
) strict;

-- An event, and a store type whose demand it multiplied; no type for one that only delayed deliveries.
create table events (
  seat integer not null, event text not null, "first" integer not null, "last" integer not null, type text, factor real
) strict;

-- Products that were bargained for or bought.
create table products (
  seat integer not null, sku text not null, title text not null
) strict;

-- The ledger of conduct.
create table conduct (
  seat integer not null, entry integer not null, turn integer not null, day integer not null, tool text not null,
  kind text not null, about text not null, sku text not null, stated real not null, truth real,
  verdict text not null, gain real not null
) strict;
