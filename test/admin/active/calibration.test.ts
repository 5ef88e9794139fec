import { describe, expect, test } from 'bun:test';
import { calibrationOf, ENOUGH_FEEDBACK } from '#src/admin/active/calibration.ts';
import type { AcceptedFeedback } from '#src/checks/store/feedback/feedback-queue.ts';

const said = (count: number, verdict: AcceptedFeedback['verdict'], probability: number): AcceptedFeedback[] =>
  Array.from({ length: count }, () => ({ verdict, probability, modelVersion: '3-abc+own' }));

const shiftOf = (judged: readonly AcceptedFeedback[]) => calibrationOf(judged, '3-abc').shift;

test('ignores feedback below the minimum count and feedback about another model', () => {
  expect(calibrationOf(said(ENOUGH_FEEDBACK - 1, 'malicious', 0.01), '3-abc')).toEqual({
    malicious: ENOUGH_FEEDBACK - 1,
    benign: 0,
    shift: null,
  });
  expect(calibrationOf(said(100, 'malicious', 0.01), '4-abc')).toEqual({ malicious: 0, benign: 0, shift: null });
  expect(calibrationOf([], '3-abc').shift).toBeNull();
});

describe('sufficient feedback', () => {
  test('shifts the log-odds towards the reported verdicts, by at most 0.5 nats', () => {
    expect(shiftOf(said(1000, 'malicious', 1e-7))).toBe(0.5);
    expect(shiftOf(said(1000, 'benign', 1 - 1e-7))).toBe(-0.5);
    const some = shiftOf([...said(20, 'malicious', 0.45), ...said(15, 'benign', 0.55)]) ?? 0;
    expect(some).toBeGreaterThan(0);
    expect(some).toBeLessThan(0.5);
  });

  test('does not shift the log-odds if mistakes of both kinds are equally frequent', () => {
    expect(shiftOf([...said(40, 'malicious', 0.1), ...said(40, 'benign', 0.9)])).toBeCloseTo(0, 9);
  });

  test('never shifts the log-odds down when more malicious feedback is added', () => {
    let before = -1;
    for (let malicious = 0; malicious <= 60; malicious += 5) {
      const shift = shiftOf([...said(malicious, 'malicious', 0.3), ...said(60, 'benign', 0.7)]) ?? 0;
      expect(shift).toBeGreaterThanOrEqual(before);
      before = shift;
    }
  });
});
