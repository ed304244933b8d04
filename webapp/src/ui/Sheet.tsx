import { Drawer } from '@base-ui/react/drawer';
import { type ReactNode, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { cx } from './cx';
import flex from './flex.module.css';
import { IconButton } from './IconButton';
import styles from './Sheet.module.css';
import text from './text.module.css';
import { useFocusAfter } from './useFocusAfter';
import { useGhostClickGuard } from './useGhostClickGuard';

type Props = {
  open: boolean;
  /** The player dragged it down, tapped the scrim or the x, or pressed Escape. */
  onClose: () => void;
  /** Not modal: a library's window lies over it and must be touchable. */
  loose?: boolean;
  title: string;
  /** Beside the title: a count, a badge. */
  end?: ReactNode;
  /** Stays below the part that scrolls, for its one action. */
  foot?: ReactNode;
  className?: string | undefined;
  children: ReactNode;
};

/** A panel from the bottom edge; what is in it scrolls. Keep it rendered and change `open`, so that it can leave. */
export function Sheet(props: Props) {
  const { open, onClose, loose = false, title, end, foot, className, children } = props;
  const { t } = useTranslation();
  // The focus starts on the container, so that no button looks selected.
  const popup = useRef<HTMLDivElement>(null);
  const finalFocus = useFocusAfter(open, popup);
  const guard = useGhostClickGuard(open);
  return (
    <Drawer.Root
      open={open}
      modal={!loose}
      disablePointerDismissal={loose}
      onOpenChange={(next) => {
        if (!next && !loose) onClose();
      }}
    >
      <Drawer.Portal>
        <Drawer.Backdrop className={styles.scrim} />
        <Drawer.Viewport ref={guard.ref} className={cx(styles.viewport, guard.className)}>
          <Drawer.Popup ref={popup} initialFocus={popup} finalFocus={finalFocus} className={styles.sheet}>
            <header className={cx(flex.line, flex.roomy, styles.header)}>
              <Drawer.Title className={cx(text.title, styles.title)}>{title}</Drawer.Title>
              {end}
              <IconButton icon="close" label={t('common.close')} onPress={onClose} className={styles.close} />
            </header>
            {/* On a small phone it may scroll with nothing in it that takes the focus: arrow keys need it themselves. */}
            <Drawer.Content
              tabIndex={0}
              className={cx(flex.column, styles.scroll, foot === undefined && styles.last, className)}
            >
              {children}
            </Drawer.Content>
            {foot !== undefined && <footer className={styles.foot}>{foot}</footer>}
          </Drawer.Popup>
        </Drawer.Viewport>
      </Drawer.Portal>
    </Drawer.Root>
  );
}
