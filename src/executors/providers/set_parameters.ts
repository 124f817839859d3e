/** Parameters of the query of a URL, without touching anything else in it. */

/**
 * Sets parameters: one that is there gets the value in its place (and stands once), others are added at the end of the
 * query. Every other byte of the URL stays as it is.
 */
export function setParameters(url: string, parameters: readonly (readonly [name: string, value: string])[]): string {
  const [, before = "", query, fragment = ""] = /^([^?#]*)(?:\?([^#]*))?(#.*)?$/s.exec(url) ?? [];
  let pairs = query === undefined || query === "" ? [] : query.split("&");
  for (const [name, value] of parameters) {
    const pair = `${encodeURIComponent(name)}=${encodeURIComponent(value)}`;
    const first = pairs.findIndex((one) => nameOf(one) === name);
    if (first < 0) pairs.push(pair);
    else pairs = pairs.flatMap((one, index) => index === first ? [pair] : nameOf(one) === name ? [] : [one]);
  }
  return `${before}?${pairs.join("&")}${fragment}`;
}

function nameOf(pair: string): string {
  const [name = ""] = pair.split("=", 1);
  try {
    return decodeURIComponent(name.replaceAll("+", " "));
  } catch {
    return name;
  }
}
