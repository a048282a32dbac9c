// Symbol visibility: all symbols of libhither are hidden, except those with HITHER_EXPORT.
#pragma once

#if defined(_WIN32)
#if defined(HITHER_BUILDING)
#define HITHER_EXPORT __declspec(dllexport)
#else
#define HITHER_EXPORT __declspec(dllimport)
#endif
#else
#define HITHER_EXPORT __attribute__((visibility("default")))
#endif
