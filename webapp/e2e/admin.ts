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
  await expect(phone.messages.filter({ hasText: 'Hello, Adam!' }).last()).toBeVisible();
  return phone;
}

/** Gives a command and confirms it, whatever else the bot writes meanwhile. */
export async function confirmed(admin: Phone, command: string, outcome: string): Promise<void> {
  const confirm = admin.page.getByRole('button', { name: 'Confirm' });
  const questions = admin.messages.filter({ has: confirm });
  const asked = questions.nth(await questions.count());
  await admin.write(command);
  const id = await asked.getAttribute('data-message-id');
  const question = admin.page.locator(`[data-message-id="${id}"]`);
  await question.getByRole('button', { name: 'Confirm' }).tap();
  await expect(question).toContainText(outcome);
  await expect(question.getByRole('button')).toHaveCount(0);
}
