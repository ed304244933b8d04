import { describe, expect, it } from 'vitest';
import { open, paths, watched } from '../../testing/adGame';
import { pass, server, setUpGame } from '../../testing/playGame';

setUpGame();

describe('the modal closes', () => {
  it.each([
    ['skipped, by a refusal', (ad) => ad.refuse({ done: false, error: false }), 'closed', 'toast.ad_closed'],
    ['skipped, by an answer', (ad) => ad.end({ done: false }), 'closed', 'toast.ad_closed'],
    ['missing', (ad) => ad.refuse({ done: false, error: true }), 'absent', 'toast.ad_absent'],
    ['broken', (ad) => ad.refuse(new Error('boom')), 'absent', 'toast.ad_absent'],
    ['broken without a word', (ad) => ad.refuse(undefined), 'absent', 'toast.ad_absent'],
  ] as [string, (ad: ReturnType<typeof open>['ends'][number]) => void, string, string][])(
    'when the ad is %s, and nothing is collected',
    async (_, finish, is, words) => {
      const { ads, modals, purse, play, said } = open();
      const { outcome, ad } = await play();
      finish(ad);
      await pass(60_000);
      expect(outcome.is).toBe(is);
      expect([ads.busy, modals.shown, purse.tries]).toEqual([false, null, 0]);
      expect(said).toEqual([words]);
      expect(paths()).not.toContain('/ads/complete');
    },
  );

  it('when ads are off, without a ticket', async () => {
    server.ads.config = { enabled: false, script_url: null, block_id: null, mode: 's2s' };
    const { ads, modals, said, watch } = open();
    expect(ads.isUnavailable).toBe(false);
    expect(await watch()).toBe('absent');
    expect(ads.isUnavailable).toBe(true);
    expect([modals.shown, said]).toEqual([null, ['errors.ads_off']]);
    expect(paths()).toEqual(['/config']);
  });

  it('when the script does not come', async () => {
    const { modals, said, script, watch } = open();
    script.come = () => Promise.reject(new Error('blocked'));
    expect(await watch()).toBe('absent');
    expect([modals.shown, said]).toEqual([null, ['toast.ad_absent']]);
  });

  it('when an ad never ends', async () => {
    const { modals, play, said } = open();
    const { outcome } = await play();
    await pass(299_999);
    expect(outcome.is).toBe('none');
    await pass(1);
    expect(outcome.is).toBe('absent');
    expect([modals.shown, said]).toEqual([null, ['toast.ad_absent']]);
  });

  it('when an ad takes longer than five minutes, whose reward comes all the same if it was seen', async () => {
    const { purse, play } = open();
    const { outcome, ad } = await play();
    await pass(300_000);
    expect(outcome.is).toBe('absent');
    purse.paid = true;
    ad.end(watched);
    await pass(0);
    expect(purse.collected).toBe(1);
  });

  it('when the player closes it, whatever is being waited for', async () => {
    const { ads, modals, script, said } = open();
    script.come = () => new Promise(() => {});
    const outcome = ads.watch({ purpose: 'spin', collect: async () => {} });
    await pass(0);
    expect(ads.stage).toBe('opening');
    modals.close('ad');
    expect(await outcome).toBe('closed');
    expect([ads.busy, said]).toEqual([false, []]);
  });

  it('when the player closes it over a running ad, whose reward comes all the same if it was seen', async () => {
    const { modals, purse, play } = open();
    const { outcome, ad } = await play();
    modals.close('ad');
    await pass(0);
    expect(outcome.is).toBe('closed');
    purse.paid = true;
    ad.end(watched);
    await pass(0);
    expect(purse.collected).toBe(1);
  });

  it.each([
    [{ status: 409, code: 'not_eligible' }, 'errors.not_eligible', 'failed'],
    [{ status: 409, code: 'ad_spins_exhausted' }, 'errors.ad_spins_exhausted', 'failed'],
    [{ status: 429, code: 'rate_limited', retryAfter: 1500 }, 'errors.ad_limit', 'failed'],
    [{ status: 429, code: 'rate_limited', retryAfter: 1 }, 'errors.rate_limited', 'failed'],
    [{ status: 503, code: 'maintenance', params: { feature: 'ads' } }, 'errors.ads_off', 'absent'],
    ['cut' as const, 'errors.offline', 'failed'],
  ])('when the server refuses the ticket with %o', async (weather, words, is) => {
    const { modals, script, said, watch } = open();
    server.weather = [weather];
    expect(await watch()).toBe(is);
    expect([modals.shown, said, script.urls]).toEqual([null, [words], []]);
  });

  it('when an admin has switched them off, until they are on again', async () => {
    const { ads, play, watch } = open();
    server.weatherOf['/api/ads/start'] = [{ status: 503, code: 'maintenance', params: { feature: 'ads' } }];
    await watch();
    expect(ads.isUnavailable).toBe(true);
    server.ads.config = { ...server.ads.config, enabled: false };
    await pass(60_000);
    expect(ads.isUnavailable).toBe(true);
    server.ads.config = { ...server.ads.config, enabled: true };
    await pass(60_000);
    expect(ads.isUnavailable).toBe(false);
    await play();
    const asked = paths().filter((path) => path === '/config').length;
    await pass(600_000);
    expect(paths().filter((path) => path === '/config')).toHaveLength(asked);
  });

  it('when nobody knows whether there are ads', async () => {
    server.online = false;
    const { modals, said, watch } = open();
    expect(await watch()).toBe('failed');
    expect([modals.shown, said]).toEqual([null, ['errors.offline']]);
  });
});

it('shows one ad at a time', async () => {
  const { play, ads, ends } = open();
  await play();
  expect(await ads.watch({ purpose: 'daily', collect: async () => {} })).toBe('closed');
  expect(ends).toHaveLength(1);
});

it('takes an admin’s word that ads are off until it hears otherwise', async () => {
  const { ads, watch } = open();
  server.weather = [{ status: 503, code: 'maintenance', params: { feature: 'ads' } }];
  await watch();
  expect(ads.isUnavailable).toBe(true);
  await ads.load();
  expect(ads.isUnavailable).toBe(false);
});
