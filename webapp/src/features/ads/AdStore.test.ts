import { reaction } from 'mobx';
import { describe, expect, it } from 'vitest';
import { ApiError } from '../../api/error';
import { oneIsLate, open, paths, watched } from '../../testing/adGame';
import { pass, server, setUpGame } from '../../testing/playGame';

setUpGame();

describe('an ad that is watched', () => {
  it('opens a ticket, fetches the script, shows the unit, reports and collects, in this order', async () => {
    const { ads, modals, script, purse, play } = open();
    const { outcome, ad } = await play();
    expect(paths()).toEqual(['/config', '/ads/start']);
    expect(server.requests[1]?.body).toEqual({ purpose: 'spin' });
    expect(script.urls).toEqual(['https://ads.test/sdk.js']);
    expect(ads.stage).toBe('playing');
    purse.paid = true;
    ad.end(watched);
    await pass(0);
    expect(outcome.is).toBe('confirmed');
    expect(paths()).toEqual(['/config', '/ads/start', '/ads/complete']);
    expect(server.requests[2]?.body).toEqual({ ticket: 'ticket-1' });
    expect(purse.collected).toBe(1);
    expect([ads.busy, ads.stage, modals.shown]).toEqual([false, 'none', null]);
    await pass(2_000_000);
    expect(purse.tries).toBe(1);
  });

  it('names the spin it is about', async () => {
    const { play, ads } = open('roulette');
    void ads.load();
    await pass(0);
    void ads.watch({ purpose: 'roulette', targetId: 12, collect: async () => {} });
    await pass(0);
    expect(server.requests.at(-1)?.body).toEqual({ purpose: 'roulette', target_id: 12 });
    expect(play).toBeTruthy();
  });

  it('is asked after with patience until the network has called back', async () => {
    const { ads, purse, play, seen } = open();
    const { outcome, ad } = await play();
    ad.end(watched);
    await pass(12_000);
    expect(outcome.is).toBe('none');
    expect(ads.stage).toBe('confirming');
    expect(purse.tries).toBeGreaterThan(4);
    expect(seen).not.toHaveBeenCalled();
    const stages: string[] = [];
    const heard = reaction(
      () => ads.stage,
      (stage) => stages.push(stage),
    );
    purse.paid = true;
    await pass(5000);
    heard();
    expect(outcome.is).toBe('confirmed');
    expect([purse.collected, seen.mock.calls.length, stages]).toEqual([1, 1, ['none']]);
  });

  it('is late after half a minute, says so, and brings its reward by itself when it comes', async () => {
    const { ads, modals, purse, play } = open();
    const { outcome, ad } = await play();
    ad.end(watched);
    await pass(29_999);
    expect(outcome.is).toBe('none');
    await pass(1);
    expect(outcome.is).toBe('late');
    expect([ads.stage, ads.busy, modals.shown?.is]).toEqual(['late', false, 'ad']);
    expect([ads.hasPending, ads.unconfirmedFor('spin')]).toEqual([true, 0]);
    modals.close('ad');
    expect(ads.stage).toBe('none');
    purse.paid = true;
    await pass(15_000);
    expect(purse.collected).toBe(1);
    expect(ads.hasPending).toBe(false);
    await pass(2_000_000);
    expect(purse.collected).toBe(1);
  });

  it('closes what said that it is on its way, once it is here', async () => {
    const { modals, purse, play } = open();
    (await play()).ad.end(watched);
    await pass(30_000);
    expect(modals.shown?.is).toBe('ad');
    purse.paid = true;
    await pass(15_000);
    expect([purse.collected, modals.shown]).toEqual([1, null]);
  });

  it('closes what said so though an older one never comes', async () => {
    const { ads, modals, purse, play, ends } = open();
    const never = async () => {
      throw new ApiError({ code: 'ad_not_confirmed', status: 409 });
    };
    void ads.watch({ purpose: 'spin', collect: never });
    await pass(0);
    ends[0]?.end(watched);
    await pass(30_000);
    modals.close('ad');
    await play();
    ends[1]?.end(watched);
    await pass(30_000);
    expect([ads.stage, ads.unconfirmedFor('spin')]).toEqual(['late', 0]);
    purse.paid = true;
    await pass(15_000);
    expect([modals.shown, ads.hasPending]).toEqual([null, true]);
  });

  it('closes what said so though an ad that was given up turns out to be seen', async () => {
    const { ads, modals, purse, play, ends } = open();
    await play();
    modals.close('ad');
    await pass(0);
    await play();
    ends[1]?.end(watched);
    await pass(30_000);
    ends[0]?.end(watched);
    await pass(1);
    expect([ads.stage, ads.unconfirmedFor('spin')]).toEqual(['late', 1]);
    purse.paid = true;
    await pass(15_000);
    expect(modals.shown).toBeNull();
  });

  it('is waited for while it is about to come, and once it is late keeps from no other for the same', async () => {
    const { ads, watch, ends } = open('roulette');
    void watch(12);
    await pass(0);
    ends[0]?.end(watched);
    await pass(29_000);
    expect([ads.unconfirmedFor('roulette', 12), ads.unconfirmedFor('roulette', 13)]).toEqual([1, 0]);
    await pass(1000);
    expect(ads.unconfirmedFor('roulette', 12)).toBe(0);
    void watch(12);
    await pass(0);
    expect(ends).toHaveLength(2);
  });

  it('brings once what two were seen for, whichever is confirmed', async () => {
    const { purse, said, seen, watch, ends } = await oneIsLate();
    const second = { is: 'none' };
    void watch(12).then((is) => Object.assign(second, { is }));
    await pass(0);
    purse.paid = true;
    await pass(15_000); // the first is told, and the second is still playing
    expect(purse.collected).toBe(1);
    Object.assign(purse, { paid: false, refusal: 'not_eligible' });
    ends[1]?.end(watched);
    await pass(0);
    expect([second.is, purse.collected, said]).toEqual(['confirmed', 1, []]);
    expect(seen).toHaveBeenCalledTimes(2);
  });

  it('is told once when the answers to two come at the same time', async () => {
    const { purse, slow, watch, ends } = await oneIsLate();
    void watch(12);
    await pass(0);
    Object.assign(purse, { paid: true });
    slow.answers = 20_000;
    await pass(14_000); // the first is asked after again, and its answer is on its way
    ends[1]?.end(watched);
    await pass(60_000);
    expect(purse.collected).toBe(1);
  });

  it('that cannot be told is said once, where no other can be begun for it', async () => {
    const { purse, said, watch } = await oneIsLate();
    purse.refusal = 'not_found';
    server.weatherOf['/api/ads/start'] = [{ status: 409, code: 'already_claimed' }];
    expect(await watch(12)).toBe('failed');
    await pass(10_000); // toasts come one after another
    expect(said).toEqual(['errors.not_found']);
  });

  it('is told at once when it has come, where no other can be begun for it', async () => {
    const { purse, said, watch } = await oneIsLate();
    purse.paid = true;
    server.weatherOf['/api/ads/start'] = [{ status: 409, code: 'already_claimed' }];
    expect(await watch(12)).toBe('confirmed');
    expect([purse.collected, said]).toEqual([1, []]);
    await pass(2_000_000);
    expect(purse.collected).toBe(1);
  });

  it('goes on being asked after when the player does not wait', async () => {
    const { ads, modals, purse, play, said } = open();
    const { outcome, ad } = await play();
    ad.end(watched);
    await pass(1000);
    modals.close('ad');
    await pass(0);
    expect(outcome.is).toBe('late');
    expect([ads.busy, modals.shown]).toEqual([false, null]);
    expect(said).toEqual(['toast.ad_late']);
    purse.paid = true;
    await pass(5000);
    expect(purse.collected).toBe(1);
  });

  it('survives a network that fails while it is asked after', async () => {
    const { purse, play } = open();
    const { outcome, ad } = await play();
    server.online = false;
    ad.end(watched);
    await pass(3000);
    server.online = true;
    purse.paid = true;
    await pass(5000);
    expect(outcome.is).toBe('confirmed');
  });

  it('ends when the server says that there is nothing to double any more', async () => {
    const { purse, play, said } = open();
    const { outcome, ad } = await play();
    purse.refusal = 'already_claimed';
    ad.end(watched);
    await pass(0);
    expect(outcome.is).toBe('failed');
    expect(said).toEqual(['errors.already_claimed']);
    expect(paths()).toContain('/user/me');
    await pass(2_000_000);
    expect(purse.tries).toBe(1);
  });

  it('is confirmed by the app where the network has no callback, as soon as it may', async () => {
    server.ads.config = { ...server.ads.config, mode: 'client' };
    const { purse, play } = open();
    const { outcome, ad } = await play();
    server.weather = [
      { status: 409, code: 'ad_not_confirmed' },
      { status: 409, code: 'ad_not_confirmed' },
    ];
    purse.paid = true;
    ad.end(watched);
    await pass(0);
    expect([outcome.is, purse.tries]).toEqual(['none', 0]);
    await pass(3000);
    expect([outcome.is, purse.tries]).toEqual(['confirmed', 1]);
    expect(paths().filter((path) => path === '/ads/complete')).toHaveLength(3);
  });
});
