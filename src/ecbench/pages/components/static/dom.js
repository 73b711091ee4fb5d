// Elements with attributes and children; strings become text, never markup.

export function el(tag, attributes = {}, ...children) {
  return filled(document.createElement(tag), attributes, children);
}

function filled(made, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) made.addEventListener(name.slice(2), value);
    else if (value === true) made.setAttribute(name, "");
    else if (value !== false && value != null) made.setAttribute(name, value);
  }
  made.append(...present(children));
  return made;
}

function present(children) {
  return children.flat(Infinity).filter((child) => child != null && child !== false);
}

export function put(place, ...children) {
  place.replaceChildren(...present(children));
}
