/** What a call of the fake server is refused with. */
export type Refusal = {
  status: number;
  code: string;
  retryAfter?: number;
  html?: boolean;
  /** What it says of itself; the code, unless told otherwise. */
  message?: string;
  params?: Record<string, unknown>;
};

export function isRefusal(error: unknown): error is Refusal {
  return typeof error === 'object' && error !== null && 'code' in error && 'status' in error;
}

export function refuse(weather: Refusal): Response {
  if (weather.html) return new Response('<html>Bad gateway</html>', { status: weather.status });
  const { status, code, retryAfter, params, message = code } = weather;
  return Response.json({ code, message, requestId: 'r-1', retryAfter, params }, { status });
}
