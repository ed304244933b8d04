import { describe, expect, it, vi } from 'vitest';
import { FakeServer } from '../testing/FakeServer';
import { type Connection, connect } from './client';
import { ApiError } from './error';

function client(
  answer: (request: Request) => Promise<Response> | Response,
  change: Partial<Connection> = {},
) {
  const requests: Request[] = [];
  const refused: string[] = [];
  const api = connect({
    baseUrl: 'http://mcbk.test/api',
    fetch: async (request) => {
      requests.push(request);
      return answer(request);
    },
    initData: () => 'user=7&hash=ff',
    newId: () => 'a-new-key',
    onRefusal: (error) => refused.push(error.code),
    ...change,
  });
  return { api, requests, refused };
}

const failure = (call: Promise<unknown>) =>
  call.then(
    () => {
      throw new Error('it did not fail');
    },
    (error: unknown) => error as ApiError,
  );

describe('a call', () => {
  it('proves the player with the launch data, and says who invited them', async () => {
    const server = new FakeServer();
    const { api, requests } = client(() => Response.json(server.player(7).user));
    await api.me('FRIEND');
    expect(requests[0]?.url).toBe('http://mcbk.test/api/user/me?referral_code=FRIEND');
    expect(requests[0]?.headers.get('Authorization')).toBe('tma user=7&hash=ff');
    expect(requests[0]?.headers.has('Idempotency-Key')).toBe(false);
    await api.me(null);
    expect(requests[1]?.url).toBe('http://mcbk.test/api/user/me');
  });

  it('that writes carries a key', async () => {
    const { api, requests } = client(() => Response.json(new FakeServer().player(7).user));
    await api.update({ language: 'ru' });
    expect(requests[0]?.headers.get('Idempotency-Key')).toBe('a-new-key');
  });

  it('for the config is made once a visit, again after a failure, or anew', async () => {
    const answers = ['cut', 'bot_1', 'bot_2'];
    const { api } = client(() => {
      const name = answers.shift();
      if (name === 'cut') throw new TypeError('no network');
      return Response.json({ bot_username: name });
    });
    await failure(api.config());
    expect(await Promise.all([api.config(), api.config()])).toEqual(Array(2).fill({ bot_username: 'bot_1' }));
    expect(await api.config(true)).toEqual({ bot_username: 'bot_2' });
    expect(await api.config()).toEqual({ bot_username: 'bot_2' });
  });

  it('without launch data does not pretend to have them', async () => {
    const { api, requests } = client(() => Response.json({ bot_username: 'mcbk_bot' }), {
      initData: () => '',
    });
    await api.config();
    expect(requests[0]?.headers.has('Authorization')).toBe(false);
  });
});

it('takes a 200 that says nothing of what was asked for no answer at all', async () => {
  const { api } = client(() => Response.json({}));
  const batch = { total_taps: 1, batch_id: 'batch-0001' };
  for (const call of [api.me(null), api.settings(), api.energy(), api.tap(batch), api.config()]) {
    expect((await failure(call)).code).toBe('offline');
  }
});

describe('a refusal', () => {
  it('keeps everything the server said, and is told to whoever listens', async () => {
    const { api, refused } = client(() =>
      Response.json(
        { code: 'rate_limited', message: 'Slower', requestId: 'r-9', params: { limit: 10 }, retryAfter: 3 },
        { status: 429 },
      ),
    );
    expect(await failure(api.settings())).toMatchObject({
      code: 'rate_limited',
      message: 'Slower',
      requestId: 'r-9',
      params: { limit: 10 },
      retryAfter: 3,
      status: 429,
    });
    expect(refused).toEqual(['rate_limited']);
  });

  it('without a body is known by its headers', async () => {
    const { api } = client(
      () =>
        new Response('<h1>Bad gateway</h1>', {
          status: 502,
          headers: { 'Retry-After': '7', 'X-Request-Id': 'r-1' },
        }),
    );
    expect(await failure(api.settings())).toMatchObject({
      code: 'internal',
      status: 502,
      retryAfter: 7,
      requestId: 'r-1',
    });
  });
});

describe('no honest answer', () => {
  it.each([
    ['no network', () => Promise.reject(new TypeError('Failed to fetch'))],
    ['a page that is not ours', () => new Response('<html>Log in to the hotel</html>')],
    ['an empty answer', () => new Response(null, { status: 204 })],
  ])('%s is offline', async (_, answer) => {
    const { api, refused } = client(answer);
    const error = await failure(api.settings());
    expect(error).toBeInstanceOf(ApiError);
    expect(error).toMatchObject({ code: 'offline', status: 0 });
    expect(refused).toEqual([]);
  });

  it('within 20 s is offline too', async () => {
    vi.useFakeTimers();
    const { api } = client(() => new Response(), {
      fetch: (_, init) =>
        new Promise((_, stop) => {
          init.signal?.addEventListener('abort', () => stop(new DOMException('stopped', 'AbortError')));
        }),
    });
    const error = failure(api.settings());
    await vi.advanceTimersByTimeAsync(20_000);
    expect((await error).code).toBe('offline');
  });

  it('nor a whole one within 20 s, when only its headers came', async () => {
    vi.useFakeTimers();
    const { api } = client(() => new Response(), {
      fetch: async (_, init) =>
        new Response(
          new ReadableStream({
            start(body) {
              body.enqueue(new TextEncoder().encode('{"current_day":'));
              init.signal?.addEventListener('abort', () =>
                body.error(new DOMException('stopped', 'AbortError')),
              );
            },
          }),
        ),
    });
    const error = failure(api.settings());
    await vi.advanceTimersByTimeAsync(19_999);
    expect(await Promise.race([error, 'still waiting'])).toBe('still waiting');
    await vi.advanceTimersByTimeAsync(1);
    expect((await error).code).toBe('offline');
  }, 1000);
});
