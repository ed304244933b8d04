/** Parses a link; null if it is none. `URL.canParse` is missing before iOS 17 and Android's WebView 120. */
export function urlOf(link: string): URL | null {
  try {
    return new URL(link);
  } catch {
    return null;
  }
}
