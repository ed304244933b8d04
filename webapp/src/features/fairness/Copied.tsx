import { Fragment } from 'react';
import { CopyRow } from '../../ui/CopyRow';

/** A hash is broken into lines between groups of this many digits. */
const digits = 8;

function groups(value: string): string[] {
  return value.match(new RegExp(`.{1,${digits}}`, 'g')) ?? [];
}

/** A line with a seed, a hash or a number. */
export function Copied({ label, value }: { label: string; value: string }) {
  return (
    <CopyRow label={label} value={value}>
      {groups(value).map((group, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: groups keep their places
        <Fragment key={place}>
          {group}
          <wbr />
        </Fragment>
      ))}
    </CopyRow>
  );
}
