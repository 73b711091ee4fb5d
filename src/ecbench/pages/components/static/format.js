// Numbers as people read them.

export function yuan(amount, digits = 0) {
  if (amount == null) return "–";
  const shown = Math.abs(amount).toLocaleString("en", { minimumFractionDigits: digits, maximumFractionDigits: digits });
  return `${amount < 0 ? "-" : ""}¥${shown}`;
}

export function count(number) {
  return number.toLocaleString("en");
}

// "1 product", "2,000 products".
export function counted(number, one, many = `${one}s`) {
  return `${count(number)} ${number === 1 ? one : many}`;
}

export function percent(share, digits = 0) {
  return `${(100 * share).toFixed(digits)}%`;
}
