import { act, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { LazyMount } from './LazyMount';
import { useLazyModule } from './useLazyModule';

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal('location', { reload });
  vi.stubGlobal('fetch', page);
  sessionStorage.clear();
});

afterEach(() => {
  reload.mockClear();
  page.mockReset().mockResolvedValue({ ok: true });
});

const reload = vi.fn();
const page = vi.fn().mockResolvedValue({ ok: true });

const pass = (time: number) => act(() => vi.advanceTimersByTimeAsync(time));

/** A network that fails this often before the code comes. */
function network(failures: number) {
  let tries = 0;
  return vi.fn(async () => {
    tries += 1;
    if (tries <= failures) throw new TypeError('Failed to fetch dynamically imported module');
    return 'the code';
  });
}

/** Code that is on its way until it is let in. */
function slow() {
  let arrive = (_: string) => {};
  const coming = new Promise<string>((resolve) => {
    arrive = resolve;
  });
  return { coming, arrive: (code: string) => arrive(code) };
}

function show(load: () => Promise<string>, open: boolean, onMissing?: () => void) {
  return (
    <LazyMount open={open} load={load} onMissing={onMissing}>
      {(part) => <p>{part}</p>}
    </LazyMount>
  );
}

it('fetches what opens only when it opens, and once', async () => {
  const load = network(0);
  const { rerender } = render(show(load, false));
  await pass(2999);
  expect(load).not.toHaveBeenCalled();
  rerender(show(load, true));
  await pass(0);
  expect(screen.getByText('the code')).toBeTruthy();
  rerender(show(load, false));
  await pass(10_000);
  expect(screen.getByText('the code')).toBeTruthy();
  expect(load).toHaveBeenCalledTimes(1);
});

it('fetches it ahead when the first screen has had its time', async () => {
  const load = network(0);
  const { rerender } = render(show(load, false));
  await pass(3000);
  expect(load).toHaveBeenCalledTimes(1);
  rerender(show(load, true));
  await pass(0);
  expect(screen.getByText('the code')).toBeTruthy();
});

it('says that the code is missing, and fetches it again at the next opening', async () => {
  const load = network(1);
  const missing = vi.fn();
  const { rerender } = render(show(load, true, missing));
  await pass(0);
  expect(missing).toHaveBeenCalledTimes(1);
  rerender(show(load, false, missing));
  rerender(show(load, true, missing));
  await pass(0);
  expect(screen.getByText('the code')).toBeTruthy();
  expect(missing).toHaveBeenCalledTimes(1);
});

it('does not wait for ever on a network that hangs, and shows what comes late', async () => {
  const { coming, arrive } = slow();
  const load = () => coming;
  const missing = vi.fn();
  render(show(load, true, missing));
  await pass(14_999);
  expect(missing).not.toHaveBeenCalled();
  await pass(1);
  expect(missing).toHaveBeenCalledTimes(1);
  arrive('the code');
  await pass(0);
  expect(screen.getByText('the code')).toBeTruthy();
  expect(missing).toHaveBeenCalledTimes(1);
});

it('waits for what is late where nobody is told, and opens no page anew for it', async () => {
  const { coming, arrive } = slow();
  const load = vi.fn(() => coming);
  render(show(load, true));
  await pass(60_000);
  expect(reload).not.toHaveBeenCalled();
  arrive('the code');
  await pass(0);
  expect(screen.getByText('the code')).toBeTruthy();
});

it('tries again by itself where nobody is told', async () => {
  const load = network(2);
  render(show(load, true));
  await pass(0);
  expect(load).toHaveBeenCalledTimes(1);
  await pass(3000);
  await pass(3000);
  expect(screen.getByText('the code')).toBeTruthy();
});

describe('code that does not come a second time', () => {
  const gone = () => network(Number.POSITIVE_INFINITY);
  const online = (is: boolean) => vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(is);
  const triedAgain = async (times: number) => {
    for (let left = times; left > 0; left -= 1) await pass(3000);
  };

  it('opens the page anew, and once a visit', async () => {
    const { unmount } = render(show(gone(), true));
    await pass(0);
    expect(reload).not.toHaveBeenCalled();
    await triedAgain(1);
    expect(reload).toHaveBeenCalledTimes(1);
    unmount(); // the page that was opened knows no better
    render(show(gone(), true));
    await pass(0);
    await triedAgain(5);
    expect(reload).toHaveBeenCalledTimes(1);
  });

  it('opens the page anew where somebody is told, too', async () => {
    const load = gone();
    const missing = vi.fn();
    const { rerender } = render(show(load, true, missing));
    await pass(0);
    rerender(show(load, false, missing));
    await pass(10_000);
    expect(reload).not.toHaveBeenCalled();
    rerender(show(load, true, missing));
    await pass(0);
    expect([reload.mock.calls.length, missing.mock.calls.length]).toEqual([1, 2]);
  });

  it('waits for a network', async () => {
    online(false);
    const load = gone();
    render(show(load, true));
    await pass(0);
    await triedAgain(5);
    online(true);
    await triedAgain(1);
    expect(reload).not.toHaveBeenCalled();
    await triedAgain(1);
    expect(reload).toHaveBeenCalledTimes(1);
  });

  it('is only tried again where the page would not come either', async () => {
    page.mockRejectedValueOnce(new TypeError('Failed to fetch')).mockResolvedValueOnce({ ok: false });
    render(show(gone(), true));
    await pass(0);
    await triedAgain(2);
    expect(page).toHaveBeenCalledTimes(2);
    expect(reload).not.toHaveBeenCalled();
    await triedAgain(1);
    expect(reload).toHaveBeenCalledTimes(1);
  });

  it('is only tried again while an ad plays', async () => {
    render(
      <LazyMount open load={gone()} keepsPage>
        {(part) => <p>{part}</p>}
      </LazyMount>,
    );
    await pass(0);
    await triedAgain(5);
    expect(reload).not.toHaveBeenCalled();
  });

  it('is only tried again where nothing can be kept against opening the page for ever', async () => {
    vi.spyOn(Storage.prototype, 'setItem').mockImplementation(() => {
      throw new DOMException('blocked', 'SecurityError');
    });
    const load = network(3);
    render(show(load, true));
    await pass(0);
    await triedAgain(3);
    expect(screen.getByText('the code')).toBeTruthy();
    expect(reload).not.toHaveBeenCalled();
  });
});

function Part({ load }: { load: () => Promise<string> }) {
  const [code] = useLazyModule(load, true);
  return <p>{code.is === 'here' ? code.part : code.is}</p>;
}

it('fetches a part of its own for another screen in the same place, whichever comes first', async () => {
  const late = vi.fn(() => new Promise<string>((come) => setTimeout(() => come('the late one'), 500)));
  const soon = vi.fn(async () => 'the other one');
  const { rerender } = render(<Part load={late} />);
  rerender(<Part load={soon} />);
  expect(screen.getByText('coming')).toBeTruthy();
  await pass(0);
  expect(screen.getByText('the other one')).toBeTruthy();
  await pass(500);
  expect(screen.getByText('the other one')).toBeTruthy();
  rerender(<Part load={late} />);
  expect(screen.getByText('the late one')).toBeTruthy();
  expect([late.mock.calls.length, soon.mock.calls.length]).toEqual([1, 1]);
});
