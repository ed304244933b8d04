import type { BrowserContext } from '@playwright/test';
import { Phone } from './phone';
import { residents, type Sandbox } from './sandbox';
import { expect } from './test';

/** Adam's phone, with the chat open: he is an admin of the sandbox's game. */
export async function adminsPhone(sandbox: Sandbox, context: BrowserContext): Promise<Phone> {
  const adam = await sandbox.person(residents.adam);
  await sandbox.say(adam, '/start');
  const phone = new Phone(await context.newPage(), adam);
  await phone.open();
  await expect(phone.messages.last()).toContainText('Hello, Adam!');
  return phone;
}

/** Gives a command and confirms it. */
export async function confirmed(admin: Phone, command: string, outcome: string): Promise<void> {
  await admin.write(command);
  await admin.messages.last().getByRole('button', { name: 'Confirm' }).tap();
  await expect(admin.messages.last()).toContainText(outcome);
  await expect(admin.messages.last().getByRole('button')).toHaveCount(0);
}
