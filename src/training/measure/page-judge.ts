import type { Component } from '#src/engine/analyzers/index.ts';
import { assess } from '#src/engine/assess/assess.ts';
import type { AssessSettings, Models } from '#src/engine/assess/models.ts';
import type { Observations } from '#src/network/probes/observations.ts';
import type { Target } from '#src/core/url/target.ts';
import type { PageJudgement } from './evaluate-pages.ts';

/** Judges pages as a check does, for the page benchmark. */
export function createPageJudge(models: Models, settings: AssessSettings) {
  return (target: Target, observations: Observations): PageJudgement => {
    const { contributions } = assess(target, observations, models, settings).verdict;
    const logOdds: Partial<Record<Component, number>> = {};
    for (const { component, weight } of contributions) logOdds[component] = (logOdds[component] ?? 0) + weight;
    return { logOdds, features: [...new Set(contributions.map(({ code }) => code))] };
  };
}
