/** A duration token in milliseconds; close to 0 with reduced motion. */
export function milliseconds(token: `--d-${string}`): number {
  const length = getComputedStyle(document.documentElement).getPropertyValue(token).trim();
  return (Number.parseFloat(length) || 0) * (length.endsWith('ms') ? 1 : 1000);
}
