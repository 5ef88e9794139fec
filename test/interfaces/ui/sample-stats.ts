import type { HistoryPage } from '#src/checks/record/history-page.ts';
import type { Stats } from '#src/checks/record/stats.ts';

const HOUR_MS = 3_600_000;
const NOW_MS = Date.parse('2026-11-20T11:00:00Z');

/** Something between 0 and `limit` that looks uneven and is always the same. */
const uneven = (seed: number, limit: number) => Math.floor(((((seed * 7919 + 104_729) * 31) % 97) / 97) * limit);

function periods(count: number, stepMs: number): Stats['days'] {
  return Array.from({ length: count }, (_, i) => ({
    start: new Date(Math.floor(NOW_MS / stepMs - (count - 1 - i)) * stepMs).toISOString(),
    allow: 40 + uneven(i, 60),
    warn: 4 + uneven(i + 50, 12),
    block: 6 + uneven(i + 90, 22),
  }));
}

const named = (names: readonly string[], step: number) =>
  names.map((name, i) => ({ name, checks: (names.length - i) * step - (i % 2) }));

/** A month of public checks. */
export function sampleStats(): Stats {
  const seconds = [0, 0.01, 0.05, 0.1, 0.25, 0.5, 1, 2, 4, 8, 16];
  const answered = [220, 40, 60, 180, 420, 380, 260, 90, 30, 2];
  return {
    hours: periods(24, HOUR_MS),
    days: periods(30, 24 * HOUR_MS),
    messages: { hours: [], days: [] },
    probabilities: Array.from({ length: 20 }, (_, i) => ({
      from: i / 20,
      until: (i + 1) / 20,
      checks: Math.round(800 * Math.exp(-i / 2)) + (i > 16 ? (i - 16) * 60 : uneven(i, 14)),
    })),
    blocked_sites: named(
      ['login-paypa1.example', 'secure-update.example', 'parcel-track.example', 'xn--pypal-4ve.example'],
      11,
    ),
    blocked_suffixes: named(['top', 'xyz', 'pages.dev', 'icu'], 30),
    answer_seconds: {
      p50: 0.42,
      p90: 1.9,
      p99: 6.4,
      histogram: answered.map((checks, i) => ({ from: seconds[i] ?? 0, until: seconds[i + 1] ?? 0, checks })),
    },
    disk_free_percent: 63,
    retention: { days: 90, bytes: 2_000_000_000, rows: null },
  };
}

const CHECKED = [
  ['https://www.example.org/', 0.012, 'allow'],
  ['http://login-paypa1.example/verify/account?session=***', 0.987, 'block'],
  ['https://bit.example/3xYz', 0.61, 'warn'],
  ['https://docs.example.com/guide/getting-started', 0.03, 'allow'],
  ['https://shop.example.net/cart?item=12&ref=news', 0.08, 'allow'],
] as const;

/** The last public checks, and no more. */
export function sampleHistory(): HistoryPage {
  const items = Array.from({ length: 15 }, (_, i) => {
    const [url, probability, decision] = CHECKED[i % CHECKED.length] ?? CHECKED[0];
    return {
      request_id: `019c13f7-9800-7a11-8b3c-5d9f1e2a${String(i).padStart(4, '0')}`,
      url,
      malicious_probability: probability,
      decision,
      coverage: 'url_only' as const,
      caution: false,
      via: 'page' as const,
      decided_by: null,
      reasons: [],
      model_version: 'test',
      timestamp: new Date(NOW_MS - i * 431_000).toISOString(),
    };
  });
  return { items, next_cursor: null };
}
