/** Files that a person drops where nothing takes them. */

/** Whether what is dragged has files. Their number is not known before the drop. */
export const hasFiles = ({ dataTransfer }: { readonly dataTransfer: DataTransfer | null }): boolean =>
  dataTransfer?.types.includes('Files') === true;

/** Called once. A browser would open such a file in place of the page, or in a tab beside it. */
export function refuseStrayDrops(): void {
  const refuse = (event: DragEvent): void => {
    // What takes files has prevented the default before the event came here.
    if (event.defaultPrevented || !hasFiles(event)) return;
    event.preventDefault();
    if (event.dataTransfer) event.dataTransfer.dropEffect = 'none';
  };
  window.addEventListener('dragover', refuse);
  window.addEventListener('drop', refuse);
}
