/** An expression of the page that is true once a screen of the console is there, and all that it loads. */
export function screenIsThere(name: string): string {
  const [screen] = name.split('/');
  return `document.querySelector('.console-menu [aria-current]')?.hash === '#/console/${screen}' &&
    ![...document.querySelectorAll('.screen [role=status]')].some((one) => one.textContent.endsWith('…'))`;
}
