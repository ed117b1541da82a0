// What brings IndexedDB or RxDB along, which a first paint must not wait for.
export const fetchPublicEvents = () => import('./http/public-source.ts')
export const fetchDeviceRows = () => import('./queue/store/device-rows.ts')
export const fetchStorageGate = () => import('./queue/store/storage-gate.ts')
export const fetchReplica = () => import('./replica/open-replica.ts')
