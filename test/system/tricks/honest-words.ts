const SENTENCES = [
  'The workshop opens at nine and closes when the last customer has been served.',
  'We bake with flour from a mill twelve miles away and never use improvers.',
  'Bring good shoes, because the second half of the path is steep after rain.',
  'Our volunteers planted forty trees along the canal in the first week of March.',
  'Delivery takes two to four working days, and returns are free for a month.',
  'The trio plays standards in the back room on the first Friday of each month.',
  'Children under twelve swim free if they come with an adult.',
  'The repair café mends toasters, lamps, zips and bicycles without asking for money.',
  'Parking behind the hall is limited, so please come by bus or on foot.',
  'The exhibition shows photographs that were taken in the valley between 1920 and 1960.',
  'Minutes of the last meeting are in the archive, together with the accounts.',
  'Every batch is tasted by three people before it is bottled.',
];

/** Returns paragraphs of an honest page, three sentences each. */
export function paragraphs(count: number, from = 0): string {
  return Array.from({ length: count }, (_, at) => {
    const first = from + 3 * at;
    const sentences = [0, 1, 2].map((next) => SENTENCES[(first + next) % SENTENCES.length]);
    return `<p>${sentences.join(' ')}</p>`;
  }).join('\n');
}

/** Returns list entries that link to paths of the site. */
export function links(...labels: readonly string[]): string {
  return labels.map((label) => `<li><a href="/${label.toLowerCase().replaceAll(' ', '-')}">${label}</a></li>`).join('');
}
