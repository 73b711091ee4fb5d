// JSON that may have been cut: as much of it as can be read.

// `whole` is false where something is missing at the end; `value` is the text itself where it is no JSON at all.
export function readJson(text) {
  try {
    return { value: JSON.parse(text), whole: true };
  } catch {
    return text.startsWith("{") || text.startsWith("[") ? closed(text) : { value: text, whole: true };
  }
}

function closed(text) {
  const open = []; // brackets that would have to be closed
  let string = false;
  let kept = { end: 1, tail: text[0] === "{" ? "}" : "]" }; // up to the last value that is complete
  for (let at = 0; at < text.length; at += 1) {
    const sign = text[at];
    if (string && sign === "\\") at += 1;
    else if (sign === '"') string = !string;
    else if (!string && (sign === "{" || sign === "[")) open.unshift(sign === "{" ? "}" : "]");
    else if (!string && (sign === "}" || sign === "]")) open.shift();
    if (!string && (sign === "," || sign === "}" || sign === "]")) kept = { end: sign === "," ? at : at + 1, tail: open.join("") };
  }
  const tries = string ? [`${text.replace(/\\(u[\da-f]{0,3})?…?$/i, "")}"${open.join("")}`] : [];
  for (const attempt of [...tries, text.slice(0, kept.end) + kept.tail]) {
    try {
      return { value: JSON.parse(attempt), whole: false };
    } catch {
      // a name was cut, not a value
    }
  }
  return { value: text, whole: true };
}
