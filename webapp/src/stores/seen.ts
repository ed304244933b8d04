/** Somebody may look at the page. What is only to be shown is not asked for while nobody does, but as soon as somebody does again. */
export const isSeen = () => document.visibilityState !== 'hidden';
