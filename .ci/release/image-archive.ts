import { createHash } from 'node:crypto';
import { type ArchiveEntry, gzipped, tarOf } from './archive.ts';

/** A container image for Linux. */
export interface Image {
  /** As the OCI names processors: amd64, arm64. */
  readonly architecture: string;
  /** The name that it has once it is loaded: `lurecheck:1.0.0`. */
  readonly reference: string;
  /** Files of each layer, the lowest first. */
  readonly layers: readonly (readonly ArchiveEntry[])[];
  /** How it runs (OCI image specification 1.1, config). */
  readonly config: Readonly<Record<string, unknown>>;
}

/**
 * The image as one tar archive: an OCI image layout (image-spec 1.1) that `docker load`, `podman load` and `skopeo` read,
 * with the `manifest.json` that Docker before version 25 looks for.
 */
export async function imageArchive(
  { architecture, reference, layers, config }: Image,
  mtime: Date,
): Promise<Uint8Array> {
  const tars = await Promise.all(layers.map((files) => tarOf(files, mtime)));
  const blobs = await Promise.all(tars.map((tar) => gzipped(tar)));
  const configBlob = json({
    created: mtime.toISOString(),
    architecture,
    os: 'linux',
    config,
    rootfs: { type: 'layers', diff_ids: tars.map((tar) => `sha256:${sha256(tar)}`) },
    history: layers.map(() => ({ created: mtime.toISOString(), created_by: 'bun run release' })),
  });
  const manifest = json({
    schemaVersion: 2,
    mediaType: 'application/vnd.oci.image.manifest.v1+json',
    config: described('application/vnd.oci.image.config.v1+json', configBlob),
    layers: blobs.map((blob) => described('application/vnd.oci.image.layer.v1.tar+gzip', blob)),
  });
  const index = json({
    schemaVersion: 2,
    mediaType: 'application/vnd.oci.image.index.v1+json',
    manifests: [
      {
        ...described('application/vnd.oci.image.manifest.v1+json', manifest),
        platform: { architecture, os: 'linux' },
        annotations: {
          'io.containerd.image.name': `docker.io/library/${reference}`,
          'org.opencontainers.image.ref.name': reference.slice(reference.indexOf(':') + 1),
        },
      },
    ],
  });
  const forDocker = [{ Config: blobPath(configBlob), RepoTags: [reference], Layers: blobs.map(blobPath) }];
  return await tarOf(
    [
      { path: 'oci-layout', content: JSON.stringify({ imageLayoutVersion: '1.0.0' }) },
      { path: 'index.json', content: index },
      { path: 'manifest.json', content: JSON.stringify(forDocker) },
      ...[configBlob, manifest, ...blobs].map((content) => ({ path: blobPath(content), content })),
    ],
    mtime,
  );
}

const json = (value: unknown) => Buffer.from(JSON.stringify(value));
const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');
const blobPath = (bytes: Uint8Array) => `blobs/sha256/${sha256(bytes)}`;
const described = (mediaType: string, bytes: Uint8Array) => ({
  mediaType,
  digest: `sha256:${sha256(bytes)}`,
  size: bytes.length,
});
