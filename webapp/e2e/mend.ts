import { expect } from '@playwright/test';
import { residents, type Sandbox } from './sandbox';

/** Gives the game back as all tests find it, whatever one of those that have it to themselves left half done. */
export async function mend(sandbox: Sandbox): Promise<void> {
  await sandbox.start();
  await sandbox.noFaults();
  await sandbox.rates({ usd });
  await sandbox.clock({ reset: true });

  const adam = await sandbox.person(residents.adam);
  await sandbox.say(adam, '/start');
  const says = (command: string) => sandbox.command(adam, command, /./);
  await says('/maintenance off');
  for (const [, key, usual] of (await says('/settings')).matchAll(/^(\w+) = .*usually ([^,)]+)/gm))
    await says(`/settings ${key} ${usual}`);
  for (const [, task] of (await says('/task list')).matchAll(/^(\d+): /gm))
    await says(`/task retire ${task}`);
  for (const [, payment] of (await says('/match')).matchAll(/^(\d+): /gm))
    await says(`/match ${payment} refund`);

  await expect(async () => {
    const game = await sandbox.game(await sandbox.regular());
    expect(await game.tonPrice()).toMatchObject({ data: { ton_price_usd: usd }, stale: false });
  }).toPass();
}

/** What a TON costs in the sandbox, in US dollars, while no test says otherwise. */
const usd = 2.5;
