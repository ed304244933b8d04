import { Dialog } from '@base-ui/react/dialog';
import { type ReactNode, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { cx } from './cx';
import flex from './flex.module.css';
import { IconButton } from './IconButton';
import styles from './Modal.module.css';
import text from './text.module.css';
import { useFocusAfter } from './useFocusAfter';
import { useGhostClickGuard } from './useGhostClickGuard';

type Props = {
  open: boolean;
  /** The player tapped the scrim or the x, or pressed Escape. */
  onClose: () => void;
  /** Only its own buttons close it, as with the age gate. */
  lasting?: boolean;
  /** Not modal: a library's window lies over it and must be touchable. */
  loose?: boolean;
  /** Shows an x in the corner. */
  closable?: boolean;
  /** A picture on the upper edge. */
  art?: string;
  /** In place of `art`: an element that positions itself over the upper edge. */
  relic?: ReactNode;
  /** Above the title, in place of a relic: the 18+ ring, a clock, a burst. */
  head?: ReactNode;
  title: string;
  /** The title is a small line over a large figure. */
  quiet?: boolean;
  text?: ReactNode;
  /** Buttons, the one to press first. */
  actions?: ReactNode;
  /** Of the whole card. */
  frame?: string | undefined;
  className?: string | undefined;
  children?: ReactNode;
};

/** A card in the middle of the screen. Keep it rendered and change `open`, so that it can leave. */
export function Modal(props: Props) {
  const {
    open,
    onClose,
    lasting = false,
    loose = false,
    closable = false,
    art,
    relic,
    head,
    title,
    quiet = false,
    actions,
    frame,
    className,
    children,
  } = props;
  const { t } = useTranslation();
  // The focus starts on the container, so that no button looks selected.
  const popup = useRef<HTMLDivElement>(null);
  const finalFocus = useFocusAfter(open, popup);
  const guard = useGhostClickGuard(open);
  return (
    <Dialog.Root
      open={open}
      modal={!loose}
      disablePointerDismissal={lasting}
      onOpenChange={(next) => {
        if (!next && !lasting) onClose();
      }}
    >
      <Dialog.Portal>
        <Dialog.Backdrop className={styles.scrim} />
        <Dialog.Viewport ref={guard.ref} className={cx(styles.viewport, guard.className)}>
          <Dialog.Popup
            ref={popup}
            initialFocus={popup}
            finalFocus={finalFocus}
            className={cx(styles.modal, art !== undefined && styles.withArt, frame)}
          >
            {art !== undefined && <img src={art} alt="" className={styles.art} />}
            {relic}
            <div
              className={cx(flex.column, styles.body, actions !== undefined && styles.withActions, className)}
            >
              {head}
              <div>
                <Dialog.Title className={quiet ? text.over : text.title}>{title}</Dialog.Title>
                {props.text !== undefined && (
                  <Dialog.Description className={styles.text}>{props.text}</Dialog.Description>
                )}
              </div>
              {children}
              {actions !== undefined && <div className={cx(flex.column, styles.actions)}>{actions}</div>}
            </div>
            {closable && (
              <IconButton icon="close" label={t('common.close')} onPress={onClose} className={styles.close} />
            )}
          </Dialog.Popup>
        </Dialog.Viewport>
      </Dialog.Portal>
    </Dialog.Root>
  );
}
