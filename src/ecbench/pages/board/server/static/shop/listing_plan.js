// Putting free units on the shelves of the stores that sell them: one call for each store.

// `rows` are of the warehouse. A product that is listed keeps its price unless `reprice`; others take a percentage of
// the reference price.
export function listings(store, rows, percent, reprice = false) {
  return store.position.stores.filter((shop) => shop.is_open).map((shop) => {
    const prices = new Map(reprice ? [] : shop.shelf.map((row) => [row.sku, row.price]));
    const goods = rows.filter((row) => row.free && row.trade === shop.trade);
    const plan = goods.map((row) => ({ product_id: row.sku, quantity: row.free, retail_price: prices.get(row.sku)
      ?? Number(((row.reference * percent) / 100).toFixed(2)) }));
    return { shop, goods, call: { name: "publish_to_store", arguments: { store_id: shop.id, plan } } };
  }).filter(({ goods }) => goods.length);
}
