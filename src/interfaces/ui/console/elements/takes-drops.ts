/** Takes files that are dropped on an element. The page around it would read them as messages with links. */
export function takesDrops(element: HTMLElement, take: (files: FileList | null | undefined) => void): void {
  const mark = (isOver: boolean) => (event: Event) => {
    event.preventDefault();
    element.classList.toggle('is-over', isOver);
  };
  element.addEventListener('dragover', mark(true));
  element.addEventListener('dragleave', mark(false));
  element.addEventListener('drop', (event) => {
    mark(false)(event);
    event.stopPropagation();
    document.body.classList.remove('dragging');
    take(event.dataTransfer?.files);
  });
}
