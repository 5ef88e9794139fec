/** A model as it is listed. */
export interface ListedModel {
  readonly version: string;
  /** True if it is part of the program; it goes when the program is upgraded. */
  readonly isShipped: boolean;
  readonly isActive: boolean;
  /** Why the model cannot be used; null if it can. */
  readonly problem: string | null;
}

/** A line for each model. */
export function modelsAsText(models: readonly ListedModel[]): string {
  return models
    .map(({ version, isShipped, isActive, problem }) => {
      const words = [isShipped ? 'shipped' : 'stored', ...(isActive ? ['active'] : []), ...(problem ? [problem] : [])];
      return `${version}\t${words.join(', ')}\n`;
    })
    .join('');
}

/** The same for machines. */
export function modelsAsJson(models: readonly ListedModel[]): string {
  const rows = models.map(({ version, isShipped, isActive, problem }) => ({
    version,
    shipped: isShipped,
    in_force: isActive,
    problem,
  }));
  return `${JSON.stringify(rows, null, 2)}\n`;
}
