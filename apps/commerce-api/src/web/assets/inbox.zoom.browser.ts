/** A picture in the whole window, until somebody presses it or Escape. */
const zoomed = (event: MouseEvent): void => {
  const link = (event.target as HTMLElement).closest<HTMLAnchorElement>('.bubble-picture');
  if (!link || event.ctrlKey || event.metaKey) return;
  event.preventDefault();
  const [dialog, picture] = [document.createElement('dialog'), new Image()];
  dialog.className = 'zoom';
  picture.src = link.href;
  picture.alt = link.querySelector('img')?.alt ?? '';
  dialog.append(picture);
  dialog.addEventListener('click', () => dialog.close());
  dialog.addEventListener('close', () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
};

document.addEventListener('click', zoomed);
