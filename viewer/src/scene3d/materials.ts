/** What bodies are painted with. */

import * as THREE from "three";

/** Kinds whose turning could not be seen without marks on them. */
const ROUND = new Set(["sphere", "ellipsoid", "superellipsoid", "barr-superellipsoid", "superovoid", "cylinder", "cone", "capsule", "torus", "supertorus", "marker"]);

export function isRound(kind: string): boolean {
  return ROUND.has(kind);
}

/** Darkens every other octant, as on balls for crash tests, with even edges at every distance. */
function marked(material: THREE.MeshStandardMaterial): THREE.MeshStandardMaterial {
  material.onBeforeCompile = (shader) => {
    shader.vertexShader = shader.vertexShader
      .replace("#include <common>", "#include <common>\nvarying vec3 vMark;")
      .replace("#include <begin_vertex>", "#include <begin_vertex>\nvMark = position;");
    shader.fragmentShader = shader.fragmentShader
      .replace("#include <common>", "#include <common>\nvarying vec3 vMark;")
      .replace(
        "#include <color_fragment>",
        `#include <color_fragment>
        vec3 side = clamp(vMark / max(fwidth(vMark), vec3(1e-12)), -1.0, 1.0);
        diffuseColor.rgb *= mix(1.0, 0.74, 0.5 + 0.5 * side.x * side.y * side.z);`,
      );
  };
  material.customProgramCacheKey = () => "marked";
  return material;
}

/** Lines on a surface are before it. */
const BEHIND = { polygonOffset: true, polygonOffsetFactor: 1, polygonOffsetUnits: 1 };

export function solid(kind: string): THREE.MeshStandardMaterial {
  const material = new THREE.MeshStandardMaterial({ roughness: 0.58, metalness: 0, ...BEHIND });
  return isRound(kind) ? marked(material) : material;
}

/** A wall that is looked through. */
export function shell(): THREE.MeshStandardMaterial {
  return new THREE.MeshStandardMaterial({
    roughness: 0.25,
    metalness: 0,
    transparent: true,
    opacity: 0.3,
    side: THREE.DoubleSide,
    depthWrite: false,
  });
}

/** On top of everything: what is within bodies is to be seen, too. */
export function overlay(): THREE.MeshBasicMaterial {
  return new THREE.MeshBasicMaterial({ depthTest: false, depthWrite: false, transparent: true, opacity: 0.92, toneMapped: false });
}
