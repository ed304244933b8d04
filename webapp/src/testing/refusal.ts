/** What a call of the fake server is refused with. */
export type Refusal = {
  status: number;
  code: string;
  retryAfter?: number;
  html?: boolean;
  /** From a server whose contract is newer than ours. */
  newer?: boolean;
  /** What it says of itself; the code, unless told otherwise. */
  message?: string;
  params?: Record<string, unknown>;
};

export function isRefusal(error: unknown): error is Refusal {
  return typeof error === 'object' && error !== null && 'code' in error && 'status' in error;
}

export const refusal = (status: number, code: string): Refusal => ({ status, code });
