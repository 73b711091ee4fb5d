"""Market research: what sells where, and who supplies it. Labels stand in for the figures an agent must discover."""

from ecbench.market.marketplace import Account
from ecbench.tools.arguments import Arguments, optional_text
from ecbench.tools.office import Office, Reply
from ecbench.world.model import Category, StoreType, Supplier


def market_search(office: Office, arguments: Arguments) -> Reply:
    store_type = optional_text(arguments, "store_type")
    category = optional_text(arguments, "category")
    if category is not None:
        return _category_detail(office, category, store_type)
    if store_type is not None:
        return _store_detail(office, store_type)
    store_types = office.account.world.store_types
    return {
        "view": "store_type_overview",
        "store_types": [
            _store_facts(office, s)
            | {"num_subcategories": len(s.categories), "subcategories": list(s.categories)}
            | _season(s)
            for s in store_types
        ],
        "count": len(store_types),
        "note": "Ask again with a store_type for its categories, or with a category for its details.",
    }


def _store_detail(office: Office, type_id: str) -> Reply:
    world = office.account.world
    store_type = world.store_type_by_id.get(type_id)
    if store_type is None:
        return _nothing("store_detail", "store types", list(world.store_type_by_id))
    rows = [
        {
            "category": name,
            "reference_price_range": f"¥{world.category_by_name[name].price_range}",
            "default_size": world.category_by_name[name].size,
        }
        for name in store_type.categories
    ]
    return (
        {"view": "store_detail"}
        | _store_facts(office, store_type)
        | {"subcategories": rows, "count": len(rows)}
        | _season(store_type)
    )


def _category_detail(office: Office, name: str, type_id: str | None) -> Reply:
    world, rules = office.account.world, office.account.rules
    category = world.category_by_name.get(name)
    if category is None or (type_id is not None and category.store_type != type_id):
        known = world.store_type_by_id.get(type_id or "")
        return _nothing("subcategory_detail", "categories", list(known.categories if known else world.category_by_name))
    store_type = world.store_type_by_id[category.store_type]
    detail: Reply = {
        "category": category.name,
        "store_type": store_type.id,
        "store_name": store_type.name,
        "default_size": category.size,
        "reference_price_range": f"¥{category.price_range}",
        "return_rate_note": category.return_note,
        "typical_gross_margin": _margin_label(category),
        "typical_monthly_sales_range": f"{category.sales_min:,.0f} to {category.sales_max:,.0f} units platform-wide",
        "shipping_cost_per_unit": rules.freight_cost[category.size],
        "storage_cost_per_unit_per_day": rules.storage_rate[category.size],
        "store_advantage": store_type.overview.advantage,
    }
    if len(office.account.market.accounts) > 1:
        detail["rival_stores"] = _rival_stores(office.account, category)
    return {"view": "subcategory_detail", "detail": detail | _season(store_type)}


def _rival_stores(account: Account, category: Category) -> int:
    return sum(
        any(listing.quantity and listing.category == category.name for listing in store.shelf.values())
        for rival in account.market.in_business
        if rival is not account
        for store in rival.books.trading
    )


def _nothing(view: str, kind: str, valid: list[str]) -> Reply:
    return {"view": view, "results": [], "note": f"Nothing matches. Valid {kind}: {', '.join(valid)}."}


def _store_facts(office: Office, store_type: StoreType) -> Reply:
    overview = store_type.overview
    return {
        "store_type": store_type.id,
        "store_name": store_type.name,
        "tier": store_type.tier,
        "profit_potential": overview.profit_potential,
        "daily_ops_cost": office.account.rules.operating_cost[store_type.tier],
        "store_advantage": overview.advantage,
        "strengths": list(overview.strengths),
        "challenges": list(overview.challenges),
        "operating_tips": list(overview.operating_tips),
    }


def _season(store_type: StoreType) -> Reply:
    season = store_type.seasonality
    return {
        "monthly_sales_index": [round(100 * month) for month in season],
        "season_peak_month": season.index(max(season)) + 1,
        "season_low_month": season.index(min(season)) + 1,
    }


def _margin_label(category: Category) -> str:
    margin = 1.0 - (category.wholesale_ratio + category.floor_ratio) / 2
    if margin < 0.20:
        return "low"
    return "moderate" if margin < 0.35 else "high"


def supplier_search(office: Office, arguments: Arguments) -> Reply:
    product_name = optional_text(arguments, "product_name")
    category = optional_text(arguments, "category")
    store_type = optional_text(arguments, "store_type")
    found = _matching_suppliers(office, product_name, category, store_type)
    rows = [{"supplier_name": s.name, "supplier_email": s.email, "categories_served": [s.category]} for s in found]
    office.account.rng.shuffle(rows)
    return {
        "results": rows,
        "count": len(rows),
        "note": "Ask a supplier for its catalog with chatbox.",
    }


def _matching_suppliers(
    office: Office, product_name: str | None, category: str | None, store_type: str | None
) -> list[Supplier]:
    world, closed = office.account.world, office.account.closed_suppliers
    served = set(world.category_by_name)
    if product_name is not None:
        wanted = product_name.lower()
        served &= {p.category for p in world.products if wanted in p.title.lower()}
    if category is not None:
        served &= {category}
    if store_type is not None:
        known = world.store_type_by_id.get(store_type)
        served &= set(known.categories if known else ())
    if len(served) == 1:
        return [s for s in world.suppliers_by_category[served.pop()] if s.name not in closed]
    return [s for s in world.suppliers if s.category in served and s.name not in closed]
