/** What a link says; null for what is none. `URL.canParse` is younger than many phones (iOS 16, Android's WebView 119). */
export function urlOf(link: string): URL | null {
  try {
    return new URL(link);
  } catch {
    return null;
  }
}
