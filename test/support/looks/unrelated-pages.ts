import { createRandom, type Random } from '#test/support/random.ts';

/** Places of a form in a page. */
const PLACES: readonly ((width: number, random: Random) => string)[] = [
  (width, random) => `margin:${40 + random.below(160)}px auto;width:${width}px`,
  (width, random) =>
    `position:absolute;right:${40 + random.below(200)}px;top:${60 + random.below(260)}px;width:${width}px`,
  (width, random) =>
    `position:absolute;left:${40 + random.below(300)}px;top:${60 + random.below(260)}px;width:${width}px`,
  (width) => `position:absolute;left:50%;top:50%;transform:translate(-50%,-50%);width:${width}px`,
];

const GROUNDS = [
  '#fff',
  '#f5f5f5',
  '#eef2f7',
  '#1c1f2b',
  '#123a5c',
  '#fdf6e3',
  'linear-gradient(#345,#123)',
  '#e8f0e8',
];
const COLOURS = ['#0d6efd', '#198754', '#dc3545', '#6f42c1', '#fd7e14', '#20c997', '#343a40', '#b08900'];
const NAMES = ['Alder', 'Birk', 'Cedar', 'Dune', 'Elm', 'Fern', 'Gorse', 'Hazel', 'Iris', 'Juniper'];
const KINDS = ['Club', 'Library', 'Clinic', 'Shop', 'School', 'Hosting', 'Tools', 'Mail'];

/** Returns sign-in pages of different organisations, with the usual sizes and places of forms; the same for a seed. */
export function unrelatedPages(count: number, seed = 1): readonly string[] {
  const random = createRandom(seed);
  return Array.from({ length: count }, () => unrelatedPage(random));
}

function unrelatedPage(random: Random): string {
  const name = `${random.pick(NAMES)} ${random.pick(KINDS)}`;
  const colour = random.pick(COLOURS);
  const width = random.pick([280, 300, 320, 348, 360, 380, 400, 420, 460, 520]);
  const height = random.pick([26, 30, 34, 36, 38, 40, 42, 44, 48, 52]);
  const gap = random.pick([4, 8, 10, 12, 15, 16, 20, 24, 28]);
  const hasLabels = random.below(3) > 0;
  const isFull = random.below(2) === 0;
  const fields = random.pick([
    ['text', 'password'],
    ['text', 'password'],
    ['email', 'password'],
    ['text', 'text', 'password'],
    ['email'],
    ['text', 'email', 'password', 'password'],
  ]);
  const inputs = fields.map(
    (type, at) => `${hasLabels ? `<label>Field ${at}</label>` : ''}<input type=${type} name=f${at}>`,
  );
  const extras = [
    `<p><input type=checkbox> Remember me</p>`,
    `<p><a href=/lost>Forgot your password?</a></p>`,
    `<button type=button>Another way</button>`,
  ].filter(() => random.below(3) === 0);
  const around = [
    `<header style="background:${colour};height:${40 + random.below(90)}px;color:#fff">${name}</header>`,
    `<nav style="float:left;width:${120 + random.below(160)}px;height:700px;background:#0001">${'<p>Item</p>'.repeat(random.below(9))}</nav>`,
    `<h1 style="text-align:${random.pick(['left', 'center'])}">${name}</h1>`,
    `<div style="position:absolute;bottom:0;height:${30 + random.below(80)}px;width:100%;background:${random.pick(COLOURS)}"></div>`,
    `<div style="position:absolute;left:0;top:0;width:${30 + random.below(30)}%;height:100%;background:${random.pick(COLOURS)}"></div>`,
    `<p style="margin:20px">${'Words about what is here. '.repeat(1 + random.below(12))}</p>`,
  ].filter(() => random.below(2) === 0);
  const card =
    random.below(2) === 0
      ? `background:#fff;color:#222;padding:${10 + random.below(40)}px;box-shadow:0 1px 6px #0004`
      : '';
  const css = `body{margin:0;min-height:800px;background:${random.pick(GROUNDS)};color:${random.pick(['#222', '#888'])};font:${random.pick([13, 14, 15, 16, 18])}px ${random.pick(['serif', 'sans-serif'])}}form{${random.pick(PLACES)(width, random)};${card}}form input:not([type=checkbox]){display:block;box-sizing:border-box;width:100%;height:${height}px;margin:0 0 ${gap}px}button{${isFull ? 'width:100%' : `width:${90 + random.below(90)}px`};height:${height}px;background:${colour};color:#fff;border:0}`;
  return `<!doctype html><meta charset=utf-8><title>${name}</title><style>${css}</style>${around.join('')}<form method=post>${inputs.join('')}<button>Sign in</button>${extras.join('')}</form>`;
}
