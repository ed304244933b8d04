/** Somebody may look at the page. One that nobody sees asks for nothing; it does so once it is looked at again. */
export const isSeen = () => document.visibilityState !== 'hidden';
