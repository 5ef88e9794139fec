import { setDefaultTimeout } from 'bun:test';

// Generous, because a test that runs long on a busy machine says nothing about the product.
setDefaultTimeout(60_000);
