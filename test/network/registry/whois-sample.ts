/** One registry's layout, written after its public documentation, with made-up names. */
export interface WhoisSample {
  readonly registry: string;
  readonly domain: string;
  readonly text: string;
  readonly registrar?: string;
  readonly created?: string;
  readonly updated?: string;
  readonly expires?: string;
  readonly statuses?: readonly string[];
  readonly nameservers?: readonly string[];
  readonly country?: string;
  readonly referral?: string;
}
